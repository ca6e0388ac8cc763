import { networkRateLimiter, type RateStore, rateLimiter } from '../routers/access/rate-limit.ts'
import type { Core } from '../routers/core/context.ts'
import { limits } from '../routers/core/rules.ts'
import type { Settings } from './settings.ts'

/**
 * Limits on new accounts and passkey challenges per window. `seconds` is the window's length, also for sign-in
 * attempts.
 */
const ATTEMPTS = { signUps: 100, challenges: 300, seconds: 15 * 60 }

/**
 * Limit on the sign-in attempts of all networks together, as a multiple of the limit for one network. Attempts beyond
 * the limit are slowed down.
 */
const ALL_NETWORKS = 10

/**
 * Limit on post previews per person and minute. The dashboard requests a preview at each pause in typing, and people
 * pause less often than this.
 */
const PREVIEWS_PER_MINUTE = 120

/** Limits on client registrations and metadata look-ups per network address, and their window in seconds. */
const CLIENTS = { registrations: 60, lookups: 60, seconds: 15 * 60 }

/** The parts of the core that count calls, attempts and creations. */
type RateLimiters = Pick<
  Core,
  'calls' | 'dashboardCalls' | 'creations' | 'attempts' | 'searches' | 'previews'
> & {
  oauth: Omit<Core['oauth'], 'documents'>
}

/** Creates all rate limiters. They count in `store` if there is one, else in memory. */
export const rateLimiters = (settings: Settings, store: RateStore | null): RateLimiters => {
  const { perAccount, perClient } = settings.signInAttempts
  const perMinute = (name: string, limit: number) => rateLimiter(name, limit, 60, store)
  const attemptsOf = (name: string, limit: number) => rateLimiter(name, limit, ATTEMPTS.seconds, store)
  const attemptsFrom = (name: string, limit: number) =>
    networkRateLimiter(name, limit, ATTEMPTS.seconds, store)
  const clientsFrom = (name: string, limit: number) => networkRateLimiter(name, limit, CLIENTS.seconds, store)
  return {
    calls: perMinute('calls', settings.callsPerMinute),
    dashboardCalls: {
      anonymous: networkRateLimiter('anonymous', settings.anonymousCallsPerMinute, 60, store),
      accounts: perMinute('dashboard', settings.dashboardCallsPerMinute),
    },
    creations: {
      posts: perMinute('new-posts', settings.creationLimits.postsPerMinute),
      comments: perMinute('new-comments', settings.creationLimits.commentsPerMinute),
    },
    attempts: {
      byAccount: attemptsOf('sign-in-account', perAccount),
      byHandle: attemptsOf('sign-in-handle', perAccount * ALL_NETWORKS),
      byClient: attemptsFrom('sign-in-client', perClient),
      recoveryByClient: attemptsFrom('recovery-client', perClient),
      signUps: attemptsFrom('sign-up', ATTEMPTS.signUps),
      challenges: attemptsFrom('passkey-challenge', ATTEMPTS.challenges),
    },
    searches: perMinute('searches', limits.searchesPerMinute),
    previews: perMinute('post-previews', PREVIEWS_PER_MINUTE),
    oauth: {
      registrations: clientsFrom('client-registration', CLIENTS.registrations),
      lookups: clientsFrom('client-lookup', CLIENTS.lookups),
    },
  }
}
