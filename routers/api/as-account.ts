import type { Transaction } from '../../db/transaction.ts'
import type { SessionActor, UserTokenActor } from './actor.ts'
import { authorOf } from './audit.ts'
import { callersWrites, checkAsAccount } from './caller-check.ts'
import type { Context } from './context.ts'
import { countCall, requireActive, requireScope, throwUnauthorized } from './credential.ts'
import { Problem } from './problem.ts'
import { USER_SCOPES, type UserScope } from './scopes.ts'
import { base, guarded } from './trpc.ts'

/** The account that the caller acts as, and the caller's scopes. */
interface Access {
  accountId: string
  handle: string
  scopes: readonly UserScope[]
  actor: SessionActor | UserTokenActor
}

/**
 * The base of every operation of the User API. Checks run in the order of the contract: 401, 429, 403
 * `insufficient_scope`; the input is read after that. A session has every scope.
 *
 * @param scope the scope that a token needs; by default any token is accepted
 */
export const asAccount = (scope?: UserScope) => {
  const scopes = scope ? [scope] : []
  return base.meta({ api: 'user', scopes }).use(call =>
    guarded(call, async () => {
      const { ctx, next } = call
      const { database } = ctx.core
      const access = await authorize(ctx, scopes)
      requireActive(access.actor, call.meta)
      const check = checkAsAccount(access.actor, call.meta)
      const writes = callersWrites(database, access.accountId, check, ctx.keyed)
      const writeAccount = <T>(work: (tx: Transaction) => Promise<T>): Promise<T> =>
        writes.writeAccount(work).catch(throwUnauthorized)
      return next({
        ctx: { ...access, author: authorOf(access.actor, ctx), sql: database, ...writes, writeAccount },
      })
    }),
  )
}

const authorize = async (ctx: Context, needed: UserScope[]): Promise<Access> => {
  const { actor } = ctx
  if (actor?.kind === 'session') return { ...person(actor), scopes: USER_SCOPES, actor }
  if (actor?.kind !== 'user_token') throw new Problem('unauthorized')
  await countCall(ctx, actor.tokenId)
  requireScope(actor.scopes, needed)
  return { ...person(actor), scopes: actor.scopes, actor }
}

const person = ({ accountId, handle }: { accountId: string; handle: string }) => ({ accountId, handle })
