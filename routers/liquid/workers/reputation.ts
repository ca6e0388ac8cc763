import { LRUCache } from 'lru-cache'
import type { TemplateError } from '../../core/renderer.ts'
import type { Evaluated } from '../messages.ts'
import type { Standing } from './job.ts'

/** Processor time, in ms, above which an evaluation counts as slow even if it succeeds. */
const SLOW_MS = 125

/** Maximum processor time of a quick page, parsing included, in ms. */
const QUICK_MS = 40
const QUICK_PAGES = 8192

/** Strikes for an evaluation that was cut off, and for one that stayed within its time but was slow. */
const CUT_OFF_STRIKES = 1
const SLOW_STRIKES = 0.5

/** Number of strikes at which a page is suspect, and how long strikes count after the last one, in ms. */
const SUSPECT_STRIKES = 2
const REMEMBERED_MS = 60_000
const RECORDS = 2048

/**
 * How long a suspect page is not evaluated again after a failure, in ms. Doubles with each further failure, up to a
 * limit.
 */
const FIRST_REST_MS = 1_000
const LONGEST_REST_MS = 30_000

/** A page at one revision of its space: evaluating it again gives the same result. */
export interface PageVersion {
  space: string
  revision: string
  page: { id: string }
}

interface StrikeRecord {
  strikes: number
  /** The revision that failed last, and its error; undefined if the page has succeeded since. */
  failure: { revision: string; error: TemplateError } | undefined
  restMs: number
  restsUntil: number
}

/**
 * Records slow and failed evaluations of pages, so that a few hostile pages cannot occupy all workers. Strikes depend
 * on processor time only, and stay with the page when it is edited. Other pages of its space are not affected.
 */
export class Reputation {
  private readonly records = new LRUCache<string, StrikeRecord>({ max: RECORDS, ttl: REMEMBERED_MS })
  private readonly quickPages = new LRUCache<string, true>({ max: QUICK_PAGES })

  standingOf(version: PageVersion): Standing {
    const record = this.records.get(pageKey(version))
    if (record && record.strikes >= SUSPECT_STRIKES) return 'suspect'
    return this.quickPages.get(pageKey(version)) ? 'quick' : 'unproven'
  }

  /** Returns the last error of a page version that failed too recently to be evaluated again. */
  errorWhileResting(version: PageVersion): TemplateError | undefined {
    const record = this.records.get(pageKey(version))
    return record && record.restsUntil > performance.now() ? this.lastError(version) : undefined
  }

  /** Returns the last error of a suspect page version. */
  lastError(version: PageVersion): TemplateError | undefined {
    const record = this.records.get(pageKey(version))
    const isCurrent = record?.failure?.revision === version.revision
    return isCurrent && record.strikes >= SUSPECT_STRIKES ? record.failure?.error : undefined
  }

  /**
   * Records an evaluation. Only an evaluation that included parsing can show that a page is quick, because the next
   * worker may have to parse it too.
   */
  evaluated(version: PageVersion, { outcome, spent, parsed }: Evaluated): void {
    const error = outcome.ok ? undefined : outcome.error
    if (error?.kind === 'timeout') this.failed(version, error)
    else if (spent > SLOW_MS) this.strike(version, SLOW_STRIKES, error)
    else {
      this.clearFailure(version)
      if (spent > QUICK_MS) this.quickPages.delete(pageKey(version))
      else if (parsed) this.quickPages.set(pageKey(version), true)
    }
  }

  /** Records that a page used too much processor time or crashed its process. */
  failed(version: PageVersion, error: TemplateError): void {
    this.strike(version, CUT_OFF_STRIKES, error)
  }

  private strike(version: PageVersion, strikes: number, error: TemplateError | undefined): void {
    const key = pageKey(version)
    this.quickPages.delete(key)
    const before = this.records.get(key)
    const total = (before?.strikes ?? 0) + strikes
    const restMs =
      total < SUSPECT_STRIKES ? 0 : Math.min(2 * (before?.restMs ?? 0) || FIRST_REST_MS, LONGEST_REST_MS)
    const failure = error && { revision: version.revision, error }
    this.records.set(key, { strikes: total, failure, restMs, restsUntil: performance.now() + restMs })
  }

  /** Clears the error of a page that has since succeeded; its strikes stay. */
  private clearFailure(version: PageVersion): void {
    const record = this.records.get(pageKey(version))
    if (record) record.failure = undefined
  }
}

function pageKey({ space, page }: PageVersion): string {
  return `${page.id}\n${space}`
}
