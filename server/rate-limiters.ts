import { networkRateLimiter, type RateStore, rateLimiter } from '../routers/access/rate-limit.ts'
import type { Core } from '../routers/core/context.ts'
import { limits } from '../routers/core/rules.ts'
import type { Settings } from './settings.ts'

/**
 * `seconds`: the period in which sign-ins, new accounts, client registrations and passkey challenges are counted.
 * `challenges`: the limit on passkey challenges in this period.
 */
const ATTEMPTS = { seconds: 15 * 60, challenges: 300 }

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
      signUps: attemptsFrom('sign-up', settings.signUpsPerClient),
      challenges: attemptsFrom('passkey-challenge', ATTEMPTS.challenges),
    },
    searches: perMinute('searches', limits.searchesPerMinute),
    previews: perMinute('post-previews', PREVIEWS_PER_MINUTE),
    oauth: {
      registrations: attemptsFrom('client-registration', settings.appRegistrationsPerClient),
      lookups: attemptsFrom('client-lookup', settings.appRegistrationsPerClient),
    },
  }
}
