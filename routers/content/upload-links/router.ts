import { z } from 'zod'
import { checkUploadLink } from '../../../db/queries/caller-checks.ts'
import { findUploadLink, insertUploadLink, useUploadLink } from '../../../db/queries/upload-links.ts'
import type { Author, SpaceWrite } from '../../../db/space-write.ts'
import type { Context } from '../../api/context.ts'
import { countCall, throwUnauthorized } from '../../api/credential.ts'
import { address, subdomain, timestamp } from '../../api/fields.ts'
import { inSpace, writeSpace } from '../../api/in-space.ts'
import { Problem, problemOf } from '../../api/problem.ts'
import { noteRefusalOf } from '../../api/refusals.ts'
import { limits, rules } from '../../api/rules.ts'
import { hashSecret, randomText } from '../../api/secret.ts'
import { procedure, router } from '../../api/trpc.ts'
import { digestOf, EMPTY_FILE } from '../files/content.ts'
import { File, fileName } from '../files/schema.ts'
import { storeFile } from '../files/store-file.ts'

export const NewUploadLink = z.strictObject({ subdomain, name: fileName })

export const UploadLink = z.object({
  url: address.meta({
    description: `Send the bytes of the file here with PUT or POST, without a key: \`curl -T FILE URL\`. Works for one file, within ${limits.uploadLinkMinutes} minutes`,
    examples: ['https://example.org/uploads/0Ab1'],
  }),
  name: z.string().meta({ description: 'The name that the file will have', examples: ['logo.png'] }),
  expires_at: timestamp,
  max_bytes: z.int().meta({ description: 'Maximum size of the file', examples: [rules.file.max_bytes] }),
})

/** The body of a request to a link: the bytes of the file, not encoded. */
export const SentFile = z.strictObject({
  content: z
    .custom<Buffer>(value => Buffer.isBuffer(value))
    .refine(bytes => bytes.length > 0, { error: EMPTY_FILE }),
})

/** Number of random characters in a link's address. */
const TOKEN_LENGTH = 43
const TOKEN = new RegExp(`^[0-9A-Za-z]{${TOKEN_LENGTH}}$`)

const refused = (detail?: string) =>
  new Problem('upload_link_not_found', detail === undefined ? {} : { detail })
const USED = 'A file was already sent to this link.'

type Link = NonNullable<Awaited<ReturnType<typeof findUploadLink>>>

/** Finds the unused upload link whose token is in the path. @throws `upload_link_not_found` */
const linkIn = async ({ core, path }: Context): Promise<Link & { hash: Buffer }> => {
  const token = path?.token ?? ''
  const hash = hashSecret(token)
  const link = TOKEN.test(token) ? await findUploadLink(core.database, hash) : undefined
  if (!link) throw refused()
  const now = Date.now()
  if (link.expires_at.getTime() <= now) throw refused('This link has expired.')
  if (link.used_at) throw refused(USED)
  // Ignore the expiry of a connected app's key: it is renewed every hour. The key is deleted when the app loses access.
  const { key_expires_at: keyEnd, key_client_id: client } = link
  if (keyEnd && client === null && keyEnd.getTime() <= now)
    throw refused('The key that created this link has expired.')
  return { ...link, hash }
}

/**
 * The author of a file that is sent to a link: the key or participant that created the link. A rotated key remains the
 * same author.
 */
const authorOfLink = ({
  key_first_id: keyId,
  key_label: label,
  account_id: accountId,
  agent,
}: Link): Author => ({
  kind: keyId === null ? 'session' : 'space_key',
  id: keyId ?? accountId,
  label,
  accountId,
  agent,
})

/**
 * Finds the link. If the call is then refused, the audit log counts the refusal for the author of the link. The base
 * procedure does not count this refusal, because the caller is not signed in.
 */
const withLink = procedure.use(async ({ ctx, next }) => {
  const link = await linkIn(ctx)
  const author = authorOfLink(link)
  const result = await next({ ctx: { link, author } })
  if (!result.ok) {
    const { problem } = problemOf(result.error)
    noteRefusalOf(ctx.core, author, problem, { spaceId: link.space_id })
    if (author.kind === 'session') noteRefusalOf(ctx.core, author, problem, { accountId: author.accountId })
  }
  return result
})

/**
 * The base of the procedure that receives a file: checks the link and counts the call for the link's key. The input,
 * which contains the file, is read only after that.
 */
const throughLink = withLink.use(async ({ ctx, next }) => {
  const { link, author } = ctx
  const callerId = link.key_id ?? link.account_id
  await countCall(ctx, callerId)
  ctx.onCaller?.(callerId)
  const { space_id: id, subdomain, space_name: name, icon_id: iconId } = link
  const write = <Result>(work: (write: SpaceWrite) => Promise<Result>) =>
    writeSpace(ctx, id, author, sql => checkUploadLink(sql, link.hash, new Date()), work).catch(
      throwUnauthorized,
    )
  return next({
    ctx: { accountId: link.account_id, space: { id, subdomain, name, iconId }, write },
  })
})

/** Links with which a program without a key can store one file. */
export const uploadLinks = router({
  create: inSpace('files_write')
    .meta({
      tool: {
        name: 'create_upload_link',
        title: 'Create an upload link',
        description: `Returns an address for the upload of one file. A program or a person sends the bytes of the file there, as the body of a PUT or POST. The upload needs no key. Use it for a file that you do not have as text. The address works once, within ${limits.uploadLinkMinutes} minutes. Nothing is stored until the file is sent. The response to the upload has the file's url, and list_files shows the file.`,
        isAdditive: true,
      },
    })
    .input(NewUploadLink)
    .output(UploadLink)
    .mutation(async ({ ctx, input: { name } }) => {
      const { core, space, accountId, caller, agent = null } = ctx
      const token = randomText(TOKEN_LENGTH)
      const now = new Date()
      const expiresAt = new Date(now.getTime() + limits.uploadLinkMinutes * 60_000)
      const link = {
        tokenHash: hashSecret(token),
        spaceId: space.id,
        accountId,
        keyId: caller.kind === 'space_key' ? caller.keyId : null,
        agent,
        name,
        expiresAt,
      }
      const isStored = await ctx.transaction(sql => insertUploadLink(sql, link, now))
      if (!isStored) throw new Problem('unauthorized')
      return {
        url: core.addresses.upload(token),
        name,
        expires_at: expiresAt.toISOString(),
        max_bytes: rules.file.max_bytes,
      }
    }),

  /** Stores the file that is sent to a link. `ctx.path` has the link's token. */
  use: throughLink
    .input(SentFile)
    .output(File)
    .mutation(async ({ ctx, input: { content } }) => {
      const { link } = ctx
      const file = { bytes: content, size: content.length, digest: await digestOf(content) }
      return storeFile(ctx, link.name, file, async ({ sql }) => {
        if (!(await useUploadLink(sql, link.hash, new Date()))) throw refused(USED)
      })
    }),
})
