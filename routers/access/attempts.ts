import type { Context, RateLimiter } from '../core/context.ts'
import { Problem } from '../core/problem.ts'

/** Counts an attempt and refuses one too many. @throws `rate_limited` */
const count = async (limiter: RateLimiter, who: string) => {
  const { refused, reset } = await limiter.consume(who)
  if (refused)
    throw new Problem('rate_limited', {
      detail: `Too many attempts; wait ${reset} s.`,
      retryAfter: reset,
    })
}

const clientOf = ({ client }: Context) => client ?? 'unknown'

/** Counts an attempt to come in from a network address. */
export const countClient = (ctx: Context) => count(ctx.core.attempts.byClient, clientOf(ctx))

/** Counts an attempt to come in as somebody, in any letter case, from wherever it is made. */
export const countHandle = (ctx: Context, handle: string) =>
  count(ctx.core.attempts.byHandle, handle.toLowerCase())

/**
 * Counts an attempt to show, within a session, that one is its owner. Apart from attempts to sign in: those can be
 * made by anybody, and must not keep a person from changing a password.
 */
export const countAccount = (ctx: Context, accountId: string) =>
  // No handle has a colon.
  count(ctx.core.attempts.byHandle, `account:${accountId}`)

/** Counts a new account by network address. */
export const countSignUp = (ctx: Context) => count(ctx.core.attempts.signUps, clientOf(ctx))

/** Counts a question for a passkey by network address: each leaves a row for some minutes. */
export const countChallenge = (ctx: Context) => count(ctx.core.attempts.challenges, clientOf(ctx))
