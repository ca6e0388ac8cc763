import { setTimeout as sleep } from 'node:timers/promises'
import { findAccountByHandle } from '../../db/queries/accounts.ts'
import { isKnownBrowser } from '../../db/queries/sign-in.ts'
import { BROWSER_LIFETIME, hashBrowser, type SignInMethod } from './browser-session.ts'
import type { Context, RateLimiter } from './context.ts'
import { Problem } from './problem.ts'
import { networkOf } from './rate-limit.ts'

/**
 * Delay of each sign-in attempt, in ms, while all networks together make too many attempts on an account. The
 * attempts are not refused, because anyone could then lock the owner out.
 */
const SLOWDOWN = 2_000

/** Counts an attempt. @throws `rate_limited` above the limit */
const count = async (limiter: RateLimiter, id: string) => {
  const { refused, reset } = await limiter.consume(id)
  if (refused) throw tooMany(reset)
}

/**
 * Counts an attempt to sign in to an account. A refused attempt is also counted in the audit log of the
 * account.
 *
 * @param source the browser or network
 * @throws `rate_limited` above the limit
 */
const countSignIn = async (
  ctx: Context,
  method: 'password' | 'recovery_code',
  handle: string,
  source: string,
) => {
  const { refused, reset } = await ctx.core.attempts.byAccount.consume(`${method}:${handle}:${source}`)
  if (!refused) return
  await noteRefusedSignIn(ctx, handle, method)
  throw tooMany(reset)
}

const tooMany = (reset: number) =>
  new Problem('rate_limited', { detail: `Too many attempts; wait ${reset} s.`, retryAfter: reset })

const clientOf = ({ client }: Context) => client ?? 'unknown'

/** Counts an attempt to sign in or to use a link, by network address. */
export const countClient = (ctx: Context) => count(ctx.core.attempts.byClient, clientOf(ctx))

/**
 * Counts an attempt to sign in to an account with a password.
 *
 * A browser that has signed in to the account before has a limit of its own. So nobody else can use up the attempts of
 * that browser. An attempt from any other browser counts towards three limits: for the network address, for the handle
 * and network, and for the handle alone. Above one of the first two limits, attempts are refused. Above the third
 * limit, attempts are only slowed down.
 *
 * @param handle in any letter case; the account may not exist
 */
export const countPasswordAttempt = async (ctx: Context, handle: string): Promise<void> => {
  const { byClient, byHandle } = ctx.core.attempts
  const name = handle.toLowerCase()
  const browser = await knownBrowser(ctx, name)
  if (browser !== null) return countSignIn(ctx, 'password', name, browser)
  await count(byClient, clientOf(ctx))
  await countSignIn(ctx, 'password', name, networkOf(clientOf(ctx)).narrow)
  if ((await byHandle.consume(name)).refused) await sleep(SLOWDOWN)
}

/**
 * Counts an attempt to sign in to an account with a recovery code. Wrong passwords are counted separately, so they
 * don't prevent recovery. Codes are too long to guess, so attempts from many networks are not slowed down.
 *
 * @param handle in any letter case; the account may not exist
 */
export const countRecoveryAttempt = async (ctx: Context, handle: string): Promise<void> => {
  const name = handle.toLowerCase()
  const browser = await knownBrowser(ctx, name)
  if (browser !== null) return countSignIn(ctx, 'recovery_code', name, browser)
  await count(ctx.core.attempts.recoveryByClient, clientOf(ctx))
  await countSignIn(ctx, 'recovery_code', name, networkOf(clientOf(ctx)).narrow)
}

/** Returns an identifier of the caller's browser if it has signed in to the account before, else null. */
const knownBrowser = async ({ core, browser }: Context, handle: string): Promise<string | null> => {
  if (browser === undefined) return null
  const hash = hashBrowser(browser)
  const since = new Date(Date.now() - BROWSER_LIFETIME)
  return (await isKnownBrowser(core.database, handle, hash, since)) ? hash.toString('base64url') : null
}

/**
 * Counts an attempt to re-authenticate within a session. Sign-in attempts are counted separately, so that other
 * people's failed sign-ins cannot block the owner.
 */
export const countAccount = (ctx: Context, accountId: string) =>
  count(ctx.core.attempts.byAccount, `session:${accountId}`)

/** Counts one account creation for the caller's network address. */
export const countSignUp = (ctx: Context) => count(ctx.core.attempts.signUps, clientOf(ctx))

/**
 * Counts a new passkey challenge for the caller's network address. Every challenge is stored for some minutes, so the
 * number of challenges is limited.
 */
export const countChallenge = (ctx: Context) => count(ctx.core.attempts.challenges, clientOf(ctx))

/**
 * Counts a failed sign-in for the audit log of the account. Nothing is written before the response, so that the
 * response time does not reveal whether the account exists.
 */
export const noteFailedSignIn = (ctx: Context, accountId: string, method: SignInMethod): void =>
  note(ctx, accountId, { method })

/**
 * Counts a sign-in that was refused because there were too many attempts on the account. The query is the same for an
 * account that does not exist, so that the response time does not reveal whether the account exists.
 */
export const noteRefusedSignIn = async (
  ctx: Context,
  handle: string,
  method: SignInMethod,
): Promise<void> => {
  const account = await findAccountByHandle(ctx.core.database, handle)
  if (account) note(ctx, account.id, { method, code: 'rate_limited' })
}

const note = (
  { core }: Context,
  accountId: string,
  details: { method: SignInMethod; code?: 'rate_limited' },
): void =>
  core.countedEvents.note({
    owner: { accountId },
    kind: 'sign_in_failed',
    actor: null,
    actorLabel: null,
    details,
  })

/** Counts a wrong password or recovery code that a signed-in person entered to confirm a change. */
export const noteFailedConfirmation = ({ core }: Pick<Context, 'core'>, accountId: string): void =>
  core.countedEvents.note({
    owner: { accountId },
    kind: 'sign_in_failed',
    actor: accountId,
    actorLabel: null,
    details: { method: 'confirmation' },
  })
