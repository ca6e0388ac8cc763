import type { Logger } from 'pino'
import { fileFetcher } from '../facades/http/file-fetcher.ts'
import { documentFetcher } from '../facades/oauth/fetch-document.ts'
import type { RateStore } from '../routers/access/rate-limit.ts'
import { FETCHES } from '../routers/content/files/fetch-foreign.ts'
import type { Core } from '../routers/core/context.ts'
import { FairQueue } from '../routers/core/fair-queue.ts'
import type { Renderer } from '../routers/core/renderer.ts'
import { clientDocuments } from '../routers/credentials/oauth/client-documents.ts'
import { startRenderer } from '../routers/liquid/renderer.ts'
import { startMarkdownConverter } from '../routers/social/posts/markdown/converter.ts'
import { startBackgroundWrites } from './background-writes.ts'
import type { OnStop } from './closing.ts'
import { rateLimiters } from './rate-limiters.ts'
import type { Settings } from './settings.ts'

/**
 * How long an agent's write waits for the review of the saved content, in ms. The write succeeds even without the
 * review.
 */
const REVIEW_PATIENCE = 2_500

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
  existing: Pick<Core, 'orm' | 'fileStore' | 'addresses' | 'health'> & {
    renderer: Renderer | undefined
  },
  store: RateStore | null,
  settings: Settings,
  log: Logger,
  onStop: OnStop,
): Promise<Core> => {
  const { oauth, ...limiters } = rateLimiters(settings, store)
  const writes = startBackgroundWrites(existing.orm, settings, log, onStop)
  const renderer = existing.renderer ?? startRenderer({ processes: settings.renderProcesses, log })
  if (!existing.renderer) onStop(() => renderer.stop())
  const markdown = startMarkdownConverter(settings.markdownQueue)
  onStop(() => markdown.stop())
  return {
    ...existing,
    ...limiters,
    ...writes,
    renderer,
    markdown,
    signUp: settings.signUp,
    frontPage: settings.frontPage,
    demo: null,
    passwordCost: settings.passwordCost,
    creationLimits: settings.creationLimits,
    postHistoryDays: settings.postHistory.days,
    operators: new Set(settings.operators),
    oauth: { ...oauth, documents: clientDocuments(documentFetcher()) },
    fetchFile: fileFetcher(),
    fetchQueue: new FairQueue(FETCHES),
    slowQueries: new FairQueue(SLOW_QUERIES),
    reviewPatience: REVIEW_PATIENCE,
    listPatience: LIST_PATIENCE,
    log,
  }
}
