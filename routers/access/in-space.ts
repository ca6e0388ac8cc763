import { withSpaceLocked } from '../../db/locks.ts'
import { type Sql, sqlOf } from '../../db/orm.ts'
import type { SpaceKeyActor, SpaceRef } from '../core/actor.ts'
import type { Context } from '../core/context.ts'
import { subdomainFrom } from '../core/fields.ts'
import { Problem } from '../core/problem.ts'
import { SPACE_SCOPES, type SpaceScope } from '../core/scopes.ts'
import { procedure } from '../core/trpc.ts'
import { countCall, requireScope, throwUnauthorized } from './credential.ts'
import { requireParticipant } from './participant.ts'

/** What the caller can do in a space. */
interface Access {
  space: SpaceRef
  scopes: readonly SpaceScope[]
  /** The account behind the caller. */
  accountId: string
}

/**
 * The base of every operation on a space. Checks run in the order of the contract: 401, 429, 403 `space_mismatch`,
 * 403 `insufficient_scope`; the input is read after that. A participant's session has every scope.
 *
 * @param scopes a key needs one of these; by default any key is accepted
 */
export const inSpace = (...scopes: SpaceScope[]) =>
  procedure.meta({ api: 'space', scopes }).use(async ({ ctx, getRawInput, next }) => {
    const access = await authorize(ctx, scopes, getRawInput)
    return next({
      ctx: {
        ...access,
        sql: sqlOf(ctx.core.orm),
        /**
         * Runs a write in a transaction that has locked the space and raised its revision. Only the `sql` passed to
         * the work belongs to the transaction; the work may run more than once.
         */
        write: <T>(work: (sql: Sql) => Promise<T>): Promise<T> =>
          withSpaceLocked(ctx.core.orm, access.space.id, work).catch(throwUnauthorized),
      },
    })
  })

const authorize = (
  ctx: Context,
  scopes: SpaceScope[],
  getRawInput: () => Promise<unknown>,
): Promise<Access> | Access => {
  const { actor } = ctx
  if (actor?.kind === 'space_key') return authorizeKey(ctx, actor, scopes, getRawInput)
  if (actor?.kind === 'session') return authorizeParticipant(ctx, actor.accountId, getRawInput)
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
  return { space: key.space, scopes: key.scopes, accountId: key.accountId }
}

const authorizeParticipant = async (
  ctx: Context,
  accountId: string,
  getRawInput: () => Promise<unknown>,
): Promise<Access> => {
  const subdomain = await subdomainOf(ctx, getRawInput)
  const { space } = await requireParticipant(sqlOf(ctx.core.orm), accountId, subdomain)
  return { space, scopes: SPACE_SCOPES, accountId }
}

/** Returns the subdomain from the path if it has one, else from the input. */
const subdomainOf = async (ctx: Context, getRawInput: () => Promise<unknown>): Promise<string | null> =>
  ctx.path?.subdomain ?? subdomainFrom(await getRawInput())
