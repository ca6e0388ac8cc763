import type { Context, RateLimiter } from '../core/context.ts'
import { Problem } from '../core/problem.ts'

/** Counts an attempt. @throws `rate_limited` above the limit */
const count = async (limiter: RateLimiter, id: string) => {
  const { refused, reset } = await limiter.consume(id)
  if (refused)
    throw new Problem('rate_limited', {
      detail: `Too many attempts; wait ${reset} s.`,
      retryAfter: reset,
    })
}

const clientOf = ({ client }: Context) => client ?? 'unknown'

/** Counts a sign-in attempt by network address. */
export const countClient = (ctx: Context) => count(ctx.core.attempts.byClient, clientOf(ctx))

/** Counts a sign-in attempt by handle, ignoring case. */
export const countHandle = (ctx: Context, handle: string) =>
  count(ctx.core.attempts.byHandle, handle.toLowerCase())

/**
 * Counts a re-authentication within a session. Separate from sign-in attempts, which anyone can make and which must
 * not keep a person from changing their password.
 */
export const countAccount = (ctx: Context, accountId: string) =>
  // Handles contain no colon, so the two never collide.
  count(ctx.core.attempts.byHandle, `account:${accountId}`)

/** Counts a new account by network address. */
export const countSignUp = (ctx: Context) => count(ctx.core.attempts.signUps, clientOf(ctx))

/** Counts a passkey challenge by network address, because each one is stored for some minutes. */
export const countChallenge = (ctx: Context) => count(ctx.core.attempts.challenges, clientOf(ctx))
