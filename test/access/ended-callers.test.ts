/**
 * A credential, session or participation can end while a request is open: after the caller was checked, and before the
 * request writes. Then the request is refused like a later one, and writes nothing.
 */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { callTRPCProcedure } from '@trpc/server'
import { beforeAll, expect, test } from 'vitest'
import { newId } from '../../db/id.ts'
import type { Actor } from '../../routers/api/actor.ts'
import { sessionActor } from '../../routers/api/browser-session.ts'
import { spaceKeyActor, userTokenActor } from '../../routers/api/identities.ts'
import { problemOf } from '../../routers/api/problem.ts'
import { rateLimiter } from '../../routers/api/rate-limit.ts'
import { SPACE_SCOPES, USER_SCOPES } from '../../routers/api/scopes.ts'
import { hashSecret } from '../../routers/api/secret.ts'
import { createCallerFactory, type Meta } from '../../routers/api/trpc.ts'
import { appRouter } from '../../routers/index.ts'
import { beforeStatement } from '../support/statements.ts'
import { startTestService, type TestService } from '../support/test-service.ts'
import { withoutIntervals } from '../support/without-intervals.ts'
import { pack } from '../transfer/support/archives.ts'
import { classification, createVictim, type Victim } from './classification.ts'
import { digestsOf } from './digests.ts'

let service: TestService
let victim: Victim
let ids: { account: string; chief: string; participant: string; space: string }

/** A post and a comment of another person. */
let reported: { post_id: string; comment_id: string }

/** An archive, and the plan of its import. */
let archive: string
let plan: string

const sql = () => service.core.database

beforeAll(async () => {
  service = await withoutIntervals(() => startTestService({ operators: ['chief'] }))
  const chief = await service.signUp('chief')
  const post = await chief.posts.create({ format: 'markdown', markdown: 'A post' })
  const comment = await chief.comments.create({ post_id: post.id, body: 'A comment' })
  reported = { post_id: post.id, comment_id: comment.id }
  victim = await createVictim(service)
  const accountOf = async (handle: string) =>
    (await sql().selectFrom('accounts').where('handle', '=', handle).select('id').executeTakeFirstOrThrow())
      .id
  const account = await accountOf(victim.person.handle)
  const participant = await sql()
    .selectFrom('participants')
    .where('account_id', '=', account)
    .select(['id', 'space_id'])
    .executeTakeFirstOrThrow()
  const { attempts } = service.core
  attempts.byAccount = rateLimiter('test-attempts', 1_000_000, 60, null)
  attempts.challenges = rateLimiter('test-challenges', 1_000_000, 60, null)
  service.core.fetchFile = async url => ({ bytes: Buffer.from('x'), url })
  ids = { account, chief: await accountOf('chief'), participant: participant.id, space: participant.space_id }
  const folder = await mkdtemp(path.join(os.tmpdir(), 'ended-callers-'))
  archive = path.join(folder, 'archive.zip')
  const manifest = { format: 'space-site-space', version: 1, changes: { 'data/imported.json': null } }
  await writeFile(
    archive,
    await pack(
      { path: 'data/imported.json', content: '1' },
      { path: 'manifest.json', content: JSON.stringify(manifest) },
    ),
  )
  const preview = createCallerFactory(appRouter)({
    core: service.core,
    actor: await session(account),
    archive,
  })
  plan = (await preview.transfer.import({ subdomain: victim.space.subdomain, delete_missing: false })).plan
  return async () => {
    await service.stop()
    await rm(folder, { recursive: true })
  }
})

/** A caller, and how its right to call can end. */
interface Caller {
  actor: Actor
  /** Ends the caller's right to call. */
  end: () => Promise<unknown>
  /** Gives back what other tests need. */
  giveBack?: () => Promise<unknown>
}

const session = async (account: string) => {
  const token = randomBytes(16).toString('hex')
  const now = new Date()
  await sql()
    .insertInto('sessions')
    .values({
      token_hash: hashSecret(token),
      id: newId(),
      account_id: account,
      created_at: now,
      last_seen_at: now,
      confirmed_at: now,
      expires_at: new Date(now.getTime() + 60_000),
    })
    .execute()
  return (await sessionActor(sql(), token))!
}

const credential = () => ({
  id: newId(),
  label: 'ending',
  secret_hash: randomBytes(32),
  hint: 'ss_',
  created_at: new Date(),
  expires_at: null,
})

const key = async () => {
  const row = { ...credential(), issuer_id: ids.participant, scopes: [...SPACE_SCOPES] }
  await sql().insertInto('space_keys').values(row).execute()
  return (await spaceKeyActor(sql(), row.secret_hash))!
}

const token = async () => {
  const row = { ...credential(), account_id: ids.account, scopes: [...USER_SCOPES] }
  await sql().insertInto('user_tokens').values(row).execute()
  return (await userTokenActor(sql(), row.secret_hash))!
}

const past = new Date(0)

type Table = 'sessions' | 'space_keys' | 'user_tokens'

const HASHES = { sessions: 'token_hash', space_keys: 'secret_hash', user_tokens: 'secret_hash' } as const

const remove = (table: Table, hash: Buffer) =>
  sql().deleteFrom(table).where(HASHES[table], '=', hash).execute()

/** Changes a credential. Deletes it afterwards, so that the tables are as they were before. */
const changed = (actor: Actor, table: Table, hash: Buffer, change: Record<string, unknown>): Caller => {
  let current = hash
  return {
    actor,
    end: async () => {
      await sql().updateTable(table).set(change).where(HASHES[table], '=', hash).execute()
      current = (change.secret_hash as Buffer | undefined) ?? hash
    },
    giveBack: () => remove(table, current),
  }
}

const removed = (actor: Actor, table: Table, hash: Buffer): Caller => ({
  actor,
  end: () => remove(table, hash),
})

const suspension = (reason: string | null) =>
  sql()
    .updateTable('accounts')
    .set({ suspended_at: reason === null ? null : past, suspension_reason: reason })
    .where('id', '=', ids.account)
    .execute()

const suspended = (actor: Actor, table: Table, hash: Buffer): Caller => ({
  actor,
  end: () => suspension('Only "advertises".'),
  giveBack: () => Promise.all([suspension(null), remove(table, hash)]),
})

/** The account of the participation is replaced, because a deletion would also delete what the other tests need. */
const participationOf = (account: string) =>
  sql().updateTable('participants').set({ account_id: account }).where('id', '=', ids.participant).execute()

const roleOf = (role: 'owner' | 'editor') =>
  sql().updateTable('participants').set({ role }).where('id', '=', ids.participant).execute()

const endings = {
  'the session was ended': async account => {
    const actor = await session(account)
    return removed(actor, 'sessions', actor.tokenHash)
  },
  'the session has expired': async account => {
    const actor = await session(account)
    return changed(actor, 'sessions', actor.tokenHash, { expires_at: past })
  },
  'the person has left the space': async account => {
    const actor = await session(account)
    return {
      actor,
      end: () => participationOf(ids.chief),
      giveBack: () => Promise.all([participationOf(ids.account), remove('sessions', actor.tokenHash)]),
    }
  },
  'the person has become an editor': async account => {
    const actor = await session(account)
    return {
      actor,
      end: () => roleOf('editor'),
      giveBack: () => Promise.all([roleOf('owner'), remove('sessions', actor.tokenHash)]),
    }
  },
  'the account of the session was suspended': async account => {
    const actor = await session(account)
    return suspended(actor, 'sessions', actor.tokenHash)
  },
  'the key was revoked': async () => {
    const actor = await key()
    return removed(actor, 'space_keys', actor.secretHash)
  },
  'the key has expired': async () => {
    const actor = await key()
    return changed(actor, 'space_keys', actor.secretHash, { expires_at: past })
  },
  'the secret of the key was replaced': async () => {
    const actor = await key()
    return changed(actor, 'space_keys', actor.secretHash, { secret_hash: randomBytes(32) })
  },
  'the key has lost its scopes': async () => {
    const actor = await key()
    return changed(actor, 'space_keys', actor.secretHash, { scopes: [] })
  },
  'the token was revoked': async () => {
    const actor = await token()
    return removed(actor, 'user_tokens', actor.secretHash)
  },
  'the token has expired': async () => {
    const actor = await token()
    return changed(actor, 'user_tokens', actor.secretHash, { expires_at: past })
  },
  'the token has lost its scopes': async () => {
    const actor = await token()
    return changed(actor, 'user_tokens', actor.secretHash, { scopes: [] })
  },
  'the account of the token was suspended': async () => {
    const actor = await token()
    return suspended(actor, 'user_tokens', actor.secretHash)
  },
} satisfies Record<string, (account: string) => Promise<Caller>>
type Ending = keyof typeof endings

/** Mutations that write nothing, and signing out, which ends what has ended. */
const WITHOUT_CHECK = new Set([
  'previews.page',
  'previews.part',
  'previews.record',
  'records.inspect',
  'writing.preview',
  'discussions.previewComment',
  'sessions.delete',
])

interface Definition {
  type: 'query' | 'mutation'
  meta?: Meta
}

const mutations = Object.entries<{ _def: unknown }>(appRouter._def.procedures as never).flatMap(
  ([name, procedure]) => {
    const { type, meta = {} } = procedure._def as Definition
    const access = classification[name]!
    if (type !== 'mutation' || access.kind === 'open' || WITHOUT_CHECK.has(name)) return []
    return [{ name, meta, access }]
  },
)
type Mutation = (typeof mutations)[number]

/** How callers of a mutation can end, and the error that they then get. */
const endingsOf = ({ name, meta, access }: Mutation): Partial<Record<Ending, string>> => {
  const ended = meta.api === undefined ? 'sign_in_required' : 'unauthorized'
  const isPublic = meta.isRefusedWhileSuspended === true
  const isCallable = meta.openapi !== undefined || meta.tool !== undefined || name === 'transfer.change'
  const needsScope = (meta.scopes ?? []).length > 0
  return {
    'the session was ended': ended,
    'the session has expired': ended,
    ...(access.kind === 'space' ? { 'the person has left the space': 'space_not_found' } : {}),
    ...(access.kind === 'space' && access.ownersOnly
      ? { 'the person has become an editor': 'owners_only' }
      : {}),
    ...(isPublic ? { 'the account of the session was suspended': 'account_suspended' } : {}),
    ...(isCallable && meta.api === 'space'
      ? {
          'the key was revoked': 'unauthorized',
          'the key has expired': 'unauthorized',
          'the secret of the key was replaced': 'unauthorized',
          ...(needsScope ? { 'the key has lost its scopes': 'insufficient_scope' } : {}),
        }
      : {}),
    ...(isCallable && meta.api === 'user'
      ? {
          'the token was revoked': 'unauthorized',
          'the token has expired': 'unauthorized',
          ...(needsScope ? { 'the token has lost its scopes': 'insufficient_scope' } : {}),
          ...(isPublic ? { 'the account of the token was suspended': 'insufficient_scope' } : {}),
        }
      : {}),
  }
}

const clientDataJSON = Buffer.from('{"challenge":"abc"}').toString('base64url')
const passkey = (response: object) => ({
  response: { id: 'a', rawId: 'a', type: 'public-key', response: { clientDataJSON, ...response } },
})

/** Fields that differ from those in `classification.ts`, with which the calls would be refused before they write. */
const INPUTS: Record<string, () => Record<string, unknown>> = {
  'follows.add': () => ({ handle: 'chief' }),
  'follows.remove': () => ({ handle: 'chief' }),
  'mutes.add': () => ({ handle: 'chief' }),
  'mutes.remove': () => ({ handle: 'chief' }),
  'reports.create': () => ({ post_id: reported.post_id }),
  'reports.createForComment': () => ({ comment_id: reported.comment_id }),
  'passkeys.register': () => passkey({ attestationObject: 'a' }),
  'passkeys.confirm': () => passkey({ authenticatorData: 'a', signature: 'a' }),
  'transfer.import': () => ({ plan }),
}

/**
 * Calls a mutation whose caller ends meanwhile. Returns the error code.
 *
 * @param moment `body`: while the body arrives, after the caller was checked; `begin`: right before the transaction that
 * writes
 */
const callWhile = async ({ name, access }: Mutation, ending: Ending, moment: 'body' | 'begin') => {
  const caller: Caller = await endings[ending](access.kind === 'operator' ? ids.chief : ids.account)
  const { actor, end, giveBack } = caller
  const { input } = access as { input: (of: Victim) => object | undefined }
  let ended: Promise<unknown> | undefined
  const endOnce = () => (ended ??= Promise.resolve(end()))
  // All transactions wait, because the service may begin others in the background.
  const stop = moment === 'begin' ? beforeStatement(/^begin;/, endOnce, { waits: 'all' }) : () => {}
  try {
    await callTRPCProcedure({
      router: appRouter,
      path: name,
      type: 'mutation',
      ctx: {
        core: service.core,
        actor,
        archive,
        ...(actor.kind === 'space_key' ? { path: { subdomain: victim.space.subdomain } } : {}),
      },
      getRawInput: async () => {
        if (moment === 'body') await endOnce()
        return { ...input(victim), ...INPUTS[name]?.() }
      },
      signal: undefined,
      batchIndex: 0,
    })
    return 'no error'
  } catch (error) {
    return problemOf(error).problem
  } finally {
    stop()
    await giveBack?.()
  }
}

test.each(mutations)('$name refuses callers that end while it runs, and writes nothing', async mutation => {
  const expected = endingsOf(mutation)
  const before = await digestsOf(sql())
  const outcomes: Record<string, string> = {}
  for (const ending of Object.keys(expected) as Ending[])
    for (const moment of ['body', 'begin'] as const)
      outcomes[`${ending}, ${moment}`] = await callWhile(mutation, ending, moment)
  expect(outcomes).toEqual(
    Object.fromEntries(
      Object.entries(expected).flatMap(([ending, code]) => [
        [`${ending}, body`, code],
        [`${ending}, begin`, code],
      ]),
    ),
  )
  expect(await digestsOf(sql())).toEqual(before)
})
