import { MissingRowError } from '../../db/locks.ts'
import type { SessionActor, UserTokenActor } from './actor.ts'
import type { Context, RateLimiter } from './context.ts'
import { Problem, suspendedDetail } from './problem.ts'
import type { Meta } from './trpc.ts'

/**
 * Counts a call of a key or token and records the use. If it turns out that the caller no longer holds the credential,
 * takes the count back and records nothing.
 *
 * @throws `rate_limited` above the limit
 */
export const countCall = async (ctx: Context, id: string): Promise<void> => {
  const { calls, lastUsed } = ctx.core
  const rate = ctx.counted ?? (await calls.consume(id))
  ctx.onRate?.(rate)
  const record = async (isHolder: boolean) => {
    if (!isHolder) await calls.giveBack(id)
    else if (!rate.refused) lastUsed.touch(id)
  }
  if (!ctx.isHolder) void record(true)
  // If `isHolder` rejects, the call fails too. The call still counts towards the rate limit.
  else void ctx.isHolder.then(record).catch(() => {})
  if (rate.refused)
    throw new Problem('rate_limited', {
      detail: `All ${rate.limit} calls per minute are used up; wait ${rate.reset} s.`,
      retryAfter: rate.reset,
    })
}

/**
 * Requires a scope.
 *
 * @param needed one of these is required; empty accepts any credential
 * @throws `insufficient_scope`
 */
export const requireScope = <Scope extends string>(
  held: readonly Scope[],
  needed: readonly Scope[],
): void => {
  if (needed.length > 0 && !needed.some(scope => held.includes(scope)))
    throw new Problem('insufficient_scope', {
      detail: `This operation needs the scope ${needed.join(' or ')}.`,
    })
}

/**
 * Converts a MissingRowError to `unauthorized`: the space or account was deleted after access was checked, and the
 * credential with it. Rethrows any other error.
 */
export const throwUnauthorized = (error: unknown): never => {
  throw error instanceof MissingRowError ? new Problem('unauthorized') : error
}

/** Counts a new post or comment of an account, through any API. @throws `rate_limited` */
export const countCreation = async (limiter: RateLimiter, accountId: string): Promise<void> => {
  const { refused, limit, reset } = await limiter.consume(accountId)
  if (refused)
    throw new Problem('rate_limited', {
      detail: `An account can write ${limit} posts or comments per minute; wait ${reset} s.`,
      retryAfter: reset,
    })
}

/** Returns an object with the actor's `suspensionReason`; an empty object if the account is not suspended. */
export const suspensionOf = ({ suspension_reason: reason }: { suspension_reason: string | null }) =>
  reason === null ? {} : { suspensionReason: reason }

/**
 * Refuses a call that a suspended account cannot make. The base procedures call this where they check scopes, before
 * the input is read.
 *
 * @param meta the declaration of the procedure
 * @throws `account_suspended` for a session; `insufficient_scope` for a token, because the contract has no other code
 * for a call that a valid credential cannot make (docs/decisions/0015-suspended-accounts.md)
 */
export const requireActive = (
  { kind, suspensionReason: reason }: SessionActor | UserTokenActor,
  meta: Meta | undefined,
): void => {
  if (reason === undefined || !meta?.isRefusedWhileSuspended) return
  throw new Problem(kind === 'session' ? 'account_suspended' : 'insufficient_scope', {
    detail: suspendedDetail(reason),
  })
}
