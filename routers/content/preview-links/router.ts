import { z } from 'zod'
import { newId } from '../../../db/id.ts'
import { findDraft } from '../../../db/queries/drafts.ts'
import { findSlugs } from '../../../db/queries/pages.ts'
import {
  countPreviewLinks,
  deleteEndedPreviewLinks,
  deletePreviewLink,
  insertPreviewLink,
  listPreviewLinks,
} from '../../../db/queries/preview-links.ts'
import { id, subdomain, timestamp } from '../../api/fields.ts'
import { inSpace } from '../../api/in-space.ts'
import { Problem, refuseIfFull } from '../../api/problem.ts'
import { limits } from '../../api/rules.ts'
import { randomText } from '../../api/secret.ts'
import { router } from '../../api/trpc.ts'
import { draftThing } from '../unsaved/schema.ts'

/** Number of letters and digits in the secret part of a link. */
const TOKEN_LENGTH = 32

const PreviewLink = z.object({
  id: z.string(),
  url: z.string(),
  /** What the draft edits: the id of a page, or of the draft of a new one. */
  thing: z.string(),
  created_at: timestamp,
  expires_at: timestamp,
})

/** Links with which anyone can see the draft of a page until they expire or are revoked. */
export const previewLinks = router({
  /** The links of the space that work, newest first. */
  list: inSpace({ sessionOnly: true })
    .input(z.strictObject({ subdomain }))
    .output(
      z.array(
        PreviewLink.extend({
          /** The participant whose draft it shows. */
          handle: z.string(),
          /** The slug in the draft, or of the saved page; null if the link shows nothing any more. */
          slug: z.string().nullable(),
          shows: z.enum(['draft', 'saved', 'nothing']),
        }),
      ),
    )
    .query(async ({ ctx }) => {
      const links = await listPreviewLinks(ctx.sql, ctx.space.id)
      const pages = await findSlugs(
        ctx.sql,
        ctx.space.id,
        links.map(({ thing }) => thing),
      )
      const slugs = new Map(pages.map(({ id, slug }) => [id, slug]))
      return links.map(({ id, token, thing, handle, draft, created_at, expires_at, is_new }) => {
        const saved = slugs.get(thing)
        const hasDraft = draft !== null && (is_new === true || saved !== undefined)
        return {
          id,
          url: ctx.core.addresses.previewLink(id, token),
          thing,
          handle,
          slug: (hasDraft ? draft : saved) ?? null,
          shows: hasDraft
            ? ('draft' as const)
            : saved === undefined
              ? ('nothing' as const)
              : ('saved' as const),
          created_at: created_at.toISOString(),
          expires_at: expires_at.toISOString(),
        }
      })
    }),

  /** Creates a link to the caller's draft of a page. */
  create: inSpace({ sessionOnly: true })
    .input(z.strictObject({ subdomain, thing: draftThing }))
    .output(PreviewLink)
    .mutation(async ({ ctx, input: { thing } }) => {
      const { accountId, participantId, space } = ctx
      const link = { id: newId(), token: randomText(TOKEN_LENGTH) }
      const times = await ctx.writeMembership(async sql => {
        const draft = await findDraft(sql, accountId, { spaceId: space.id, kind: 'page', thing })
        if (!draft) throw new Problem('draft_not_found')
        await deleteEndedPreviewLinks(sql, space.id)
        refuseIfFull(
          (await countPreviewLinks(sql, space.id)) >= limits.previewLinks,
          `A space can have at most ${limits.previewLinks} preview links. Revoke one that nobody needs any more, then try again.`,
        )
        const { previewLinkDays: days } = limits
        return insertPreviewLink(sql, { ...link, issuerId: participantId, thing, days })
      })
      return {
        id: link.id,
        url: ctx.core.addresses.previewLink(link.id, link.token),
        thing,
        created_at: times.created_at.toISOString(),
        expires_at: times.expires_at.toISOString(),
      }
    }),

  /** Revokes a link. Any participant can revoke any link of the space. */
  revoke: inSpace({ sessionOnly: true })
    .input(z.strictObject({ subdomain, link_id: id('preview link') }))
    .output(z.void())
    .mutation(async ({ ctx, input }) => {
      const isDeleted = await ctx.transaction(sql => deletePreviewLink(sql, ctx.space.id, input.link_id))
      if (!isDeleted) throw new Problem('preview_link_not_found')
    }),
})
