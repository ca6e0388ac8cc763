import type { Logger } from 'pino'
import { fileFetcher } from '../facades/http/file-fetcher.ts'
import { webhookSender } from '../facades/http/webhook-sender.ts'
import { documentFetcher } from '../facades/oauth/fetch-document.ts'
import type { Core } from '../routers/api/context.ts'
import { FairQueue } from '../routers/api/fair-queue.ts'
import { networkRateLimiter, type RateStore, rateLimiter } from '../routers/api/rate-limit.ts'
import type { Renderer } from '../routers/api/renderer.ts'
import { RevisionWatch } from '../routers/api/revision-watch.ts'
import { limits } from '../routers/api/rules.ts'
import { FETCHES } from '../routers/content/files/fetch-foreign.ts'
import { clientDocuments } from '../routers/credentials/oauth/client-documents.ts'
import { storedSites } from '../routers/delivery/stored-sites.ts'
import { startRenderer } from '../routers/rendering/renderer.ts'
import { startMarkdownConverter } from '../routers/social/posts/markdown/converter.ts'
import { verifiedDomains } from '../routers/spaces/domains/verified-domains.ts'
import { Presences } from '../routers/spaces/live/presence.ts'
import { startBackgroundWrites } from './database/background-writes.ts'
import { domainLookups } from './domains/lookups.ts'
import type { OnStop } from './lifecycle.ts'
import type { Settings } from './settings/settings.ts'

/**
 * How long an agent's write waits for the review of the saved content, in ms. The write succeeds even without the
 * review.
 */
const REVIEW_PATIENCE = 2_500

/** How long a call waits for an earlier one with the same `Idempotency-Key`, in ms. */
const RETRY_PATIENCE = 10_000

/** Time after which a list of pages evaluates no further page, in ms. */
const LIST_PATIENCE = 500

/**
 * Limits on the reads and writes that can take the database seconds. They use a minority of the connections for which
 * all requests wait.
 */
const SLOW_QUERIES = { running: 3, runningPerAccount: 1, waiting: 200, waitingPerAccount: 10 }

/**
 * Creates the dependencies of the procedures, and starts those that run in the background.
 *
 * @param existing dependencies that the caller has created; if they include no renderer, this function starts one
 * @param store where processes share rate limits; null to count in memory
 */
export const createCore = async (
  existing: Pick<Core, 'database' | 'fileStore' | 'addresses' | 'health' | 'instance' | 'onFailure'> & {
    renderer: Renderer | undefined
  },
  store: RateStore | null,
  settings: Settings,
  log: Logger,
  onStop: OnStop,
): Promise<Core> => {
  const { oauth, ...limiters } = rateLimiters(settings, store)
  const writes = startBackgroundWrites(existing.database, settings, existing.onFailure, onStop)
  const revisions = new RevisionWatch(
    existing.database,
    existing.onFailure('Could not ask for changes of other processes'),
  )
  const presence = new Presences(existing.database, err =>
    log.warn({ err }, 'Could not ask who has which space open'),
  )
  onStop(() => presence.stop())
  const renderer = existing.renderer ?? startRenderer({ processes: settings.renderProcesses, log })
  if (!existing.renderer) onStop(() => renderer.stop())
  const markdown = startMarkdownConverter(settings.markdownQueue)
  onStop(() => markdown.stop())
  return {
    ...existing,
    ...limiters,
    ...writes,
    onWrite: (spaceId, revision) => {
      writes.noteWrite(spaceId)
      revisions.note(spaceId, revision)
    },
    revisions,
    presence,
    sites: storedSites(existing.database),
    renderer,
    markdown,
    signUp: settings.signUp,
    frontPage: settings.frontPage,
    contact: settings.contact,
    demo: null,
    passwordCost: settings.passwordCost,
    creationLimits: settings.creationLimits,
    postHistoryDays: settings.postHistory.days,
    operators: new Set(settings.operators),
    domainLookups: domainLookups(settings.dnsServers, publicPort(settings)),
    verifiedDomains: verifiedDomains(existing.database),
    oauth: { ...oauth, documents: clientDocuments(documentFetcher()) },
    fetchFile: fileFetcher(),
    sendWebhook: webhookSender(),
    fetchQueue: new FairQueue(FETCHES),
    slowQueries: new FairQueue(SLOW_QUERIES),
    reviewPatience: REVIEW_PATIENCE,
    retryPatience: RETRY_PATIENCE,
    listPatience: LIST_PATIENCE,
    log,
  }
}

/** The port at which visitors reach sites by https. */
const publicPort = ({ siteDomain }: Settings): number => Number(/:(\d+)$/.exec(siteDomain)?.[1] ?? 443)

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
  'calls' | 'dashboardCalls' | 'creations' | 'attempts' | 'searches' | 'previews' | 'webhookTests'
> & {
  oauth: Omit<Core['oauth'], 'documents'>
}

/** Creates all rate limiters. They count in `store` if there is one, else in memory. */
const rateLimiters = (settings: Settings, store: RateStore | null): RateLimiters => {
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
    webhookTests: perMinute('webhook-tests', limits.webhookTestsPerMinute),
    oauth: {
      registrations: attemptsFrom('client-registration', settings.appRegistrationsPerClient),
      lookups: attemptsFrom('client-lookup', settings.appRegistrationsPerClient),
    },
  }
}
