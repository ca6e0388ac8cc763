import { type Sql, sqlOf } from '../../db/orm.ts'
import type { Operation, SpaceWrite } from '../../db/space-write.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { SessionActor, SpaceKeyActor, SpaceRef } from '../core/actor.ts'
import type { Context } from '../core/context.ts'
import { subdomainFrom } from '../core/fields.ts'
import { Problem, problemOf } from '../core/problem.ts'
import { noteRefusal } from '../core/refusals.ts'
import { SPACE_SCOPES, type SpaceScope } from '../core/scopes.ts'
import { base, guarded } from '../core/trpc.ts'
import { authorOf } from './author.ts'
import { checkInSpace } from './caller-check.ts'
import { countCall, requireScope, throwUnauthorized } from './credential.ts'
import { requireParticipant } from './participant.ts'
import { writeSpace } from './write-space.ts'

/** The space of a call, and its caller. */
interface Access {
  space: SpaceRef
  scopes: readonly SpaceScope[]
  /** The account that the session belongs to, or that issued the key. */
  accountId: string
  caller: SpaceKeyActor | SessionActor
}

/**
 * The base of every operation on a space. Checks run in the order of the contract: 401, 429, 403 `space_mismatch`,
 * 403 `insufficient_scope`; the input is read after that. A participant's session has every scope.
 *
 * @param scopes a key needs one of these; by default any key is accepted
 */
export const inSpace = (...scopes: SpaceScope[]) =>
  base.meta({ api: 'space', scopes }).use(call =>
    guarded(call, async () => {
      const { ctx, getRawInput, next } = call
      const access = await authorize(ctx, scopes, getRawInput)
      const { caller, space } = access
      const check = checkInSpace(caller, space.id, call.meta)
      const result = await next({
        ctx: {
          ...access,
          sql: sqlOf(ctx.core.orm),
          /** Runs a write; see {@link writeSpace}. */
          write: <T>(work: (write: SpaceWrite) => Promise<T>, operation?: Operation): Promise<T> =>
            writeSpace(ctx, space.id, authorOf(caller, ctx), check, work, operation).catch(throwUnauthorized),
          /** Runs a transaction that does not lock the space. `work` may run more than once. */
          transaction: <T>(work: (sql: Sql) => Promise<T>): Promise<T> =>
            inTransaction(ctx.core.orm, work, check),
        },
      })
      // `guarded` counts a refused call of a key for the space of the key. But `guarded` does not know the space of a
      // session's call, and counts that call only for the account. So count the session's call for the space here.
      if (!result.ok && caller.kind === 'session')
        noteRefusal(ctx, problemOf(result.error).problem, { spaceId: space.id })
      return result
    }),
  )

const authorize = (
  ctx: Context,
  scopes: SpaceScope[],
  getRawInput: () => Promise<unknown>,
): Promise<Access> | Access => {
  const { actor } = ctx
  if (actor?.kind === 'space_key') return authorizeKey(ctx, actor, scopes, getRawInput)
  if (actor?.kind === 'session') return authorizeParticipant(ctx, actor, getRawInput)
  throw new Problem('unauthorized')
}

const authorizeKey = async (
  ctx: Context,
  key: SpaceKeyActor,
  scopes: SpaceScope[],
  getRawInput: () => Promise<unknown>,
): Promise<Access> => {
  await countCall(ctx, key.keyId)
  if ((await subdomainOf(ctx, getRawInput)) !== key.space.subdomain) throw new Problem('space_mismatch')
  requireScope(key.scopes, scopes)
  return { space: key.space, scopes: key.scopes, accountId: key.accountId, caller: key }
}

const authorizeParticipant = async (
  ctx: Context,
  session: SessionActor,
  getRawInput: () => Promise<unknown>,
): Promise<Access> => {
  const subdomain = await subdomainOf(ctx, getRawInput)
  const { space } = await requireParticipant(sqlOf(ctx.core.orm), session.accountId, subdomain)
  return { space, scopes: SPACE_SCOPES, accountId: session.accountId, caller: session }
}

/** Returns the subdomain from the path if it has one, else from the input. */
const subdomainOf = async (ctx: Context, getRawInput: () => Promise<unknown>): Promise<string | null> =>
  ctx.path?.subdomain ?? subdomainFrom(await getRawInput())
