import { LRUCache } from 'lru-cache'
import type { TemplateError } from '../../core/renderer.ts'
import type { Evaluated } from '../messages.ts'
import type { Standing } from './job.ts'

/** An evaluation that takes more processor time than this, in ms, counts as slow even if it succeeds. */
const SLOW_MS = 125

/** A page that takes at most this much processor time, parsing included, in ms, is quick. */
const QUICK_MS = 40
const QUICK_PAGES = 8192

/** Strikes for an evaluation that was cut off, and for one that stayed within its time but was slow. */
const CUT_OFF_STRIKES = 1
const SLOW_STRIKES = 0.5

/** Strikes at which a page version, or a whole space, is confined; and how long after the last strike, in ms. */
const PAGE_STRIKES = 2
const SPACE_STRIKES = 6
const CONFINED_MS = 60_000
const RECORDS = 2048

/** How long a page version that keeps failing rests, in ms: twice as long after each further failure. */
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
  /** How the last evaluation failed, if it did. */
  error: TemplateError | undefined
  restMs: number
  restsUntil: number
}

/**
 * What recent evaluations say about pages, so that a few hostile ones cannot occupy all workers. Strikes are counted by
 * page version, and by space so that editing the page does not evade them.
 */
export class Reputation {
  private readonly records = new LRUCache<string, StrikeRecord>({ max: RECORDS, ttl: CONFINED_MS })
  private readonly quickPages = new LRUCache<string, true>({ max: QUICK_PAGES })

  standingOf(version: PageVersion): Standing {
    if (this.strikesOf(pageKey(version)) >= PAGE_STRIKES) return 'confined'
    if (this.strikesOf(spaceKey(version)) >= SPACE_STRIKES) return 'confined'
    return this.quickPages.get(version.page.id) ? 'quick' : 'unproven'
  }

  /** The last error of a page that failed so recently that another attempt would be a waste. */
  errorWhileResting(version: PageVersion): TemplateError | undefined {
    const record = this.records.get(pageKey(version))
    return record && record.restsUntil > performance.now() ? this.lastError(version) : undefined
  }

  /** The last error of a page that keeps failing. */
  lastError(version: PageVersion): TemplateError | undefined {
    const record = this.records.get(pageKey(version))
    return record && record.strikes >= PAGE_STRIKES ? record.error : undefined
  }

  /**
   * Records an evaluation. Only one that included parsing can show that a page is quick, because the next worker may
   * have to parse it too.
   */
  evaluated(version: PageVersion, { outcome, spent, parsed }: Evaluated): void {
    const error = outcome.ok ? undefined : outcome.error
    if (error?.kind === 'timeout') this.failed(version, error)
    else if (spent > SLOW_MS) this.strike(version, SLOW_STRIKES, error)
    else {
      this.clearError(version)
      if (spent > QUICK_MS) this.quickPages.delete(version.page.id)
      else if (parsed) this.quickPages.set(version.page.id, true)
    }
  }

  /** Records that a page was cut off or crashed its process. */
  failed(version: PageVersion, error: TemplateError): void {
    this.strike(version, CUT_OFF_STRIKES, error)
  }

  private strike(version: PageVersion, strikes: number, error: TemplateError | undefined): void {
    this.quickPages.delete(version.page.id)
    this.add(pageKey(version), strikes, error)
    this.add(spaceKey(version), strikes, undefined)
  }

  private add(key: string, strikes: number, error: TemplateError | undefined): void {
    const before = this.records.get(key)
    const total = (before?.strikes ?? 0) + strikes
    const restMs =
      total < PAGE_STRIKES ? 0 : Math.min(2 * (before?.restMs ?? 0) || FIRST_REST_MS, LONGEST_REST_MS)
    this.records.set(key, { strikes: total, error, restMs, restsUntil: performance.now() + restMs })
  }

  /** The page version has since succeeded, so its error is out of date; its strikes stay. */
  private clearError(version: PageVersion): void {
    const record = this.records.get(pageKey(version))
    if (record) record.error = undefined
  }

  private strikesOf(key: string): number {
    return this.records.get(key)?.strikes ?? 0
  }
}

function pageKey({ space, revision, page }: PageVersion): string {
  return `${page.id}\n${revision}\n${space}`
}

function spaceKey({ space }: PageVersion): string {
  return `\n${space}`
}
