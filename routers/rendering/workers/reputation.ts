import { LRUCache } from 'lru-cache'
import type { TemplateError } from '../../api/renderer.ts'
import type { Evaluated } from '../messages.ts'
import type { Standing } from './job.ts'

/** Maximum processor time of a quick page and of a steady page, parsing included, in ms. */
const QUICK_MS = 40
const STEADY_MS = 125

/** Maximum number of pages whose processor time is remembered. */
const KNOWN_PAGES = 16_384

/**
 * Number of strikes (failures) that make a page suspect. All strikes of a page expire `REMEMBERED_MS`
 * milliseconds after the last one.
 */
const SUSPECT_STRIKES = 2
const REMEMBERED_MS = 60_000
const RECORDS = 2048

/**
 * How long to wait after a failure before a suspect page is evaluated again, in ms. Doubles with each further failure,
 * up to a limit.
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

/** How long the successful evaluations of a page take. A page that has not been evaluated yet has no pace. */
type Pace = 'quick' | 'steady' | 'slow'

/**
 * Records how long evaluations of pages take, and which of them fail, so that a few hostile pages cannot occupy all
 * workers. Elapsed time does not count, only processor time. The records stay with a page when it is edited, and do not
 * affect other pages of its space.
 */
export class Reputation {
  private readonly records = new LRUCache<string, StrikeRecord>({ max: RECORDS, ttl: REMEMBERED_MS })
  private readonly paces = new LRUCache<string, Pace>({ max: KNOWN_PAGES })

  standingOf(version: PageVersion): Standing {
    const record = this.records.get(pageKey(version))
    if (record && record.strikes >= SUSPECT_STRIKES) return 'suspect'
    const pace = this.paces.get(pageKey(version))
    if (pace === 'slow') return 'long'
    return pace === 'quick' ? 'quick' : 'unproven'
  }

  /**
   * Whether a page is not known to be quick, but takes at most `STEADY_MS`. The evaluation of such a page should run to
   * its end. An interrupted evaluation starts over, which wastes the time spent.
   */
  isSteady(version: PageVersion): boolean {
    return this.paces.get(pageKey(version)) === 'steady'
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
   * Records an evaluation. The next worker may have to parse the page again. So only an evaluation that included
   * parsing can show that a page is quick.
   */
  evaluated(version: PageVersion, { outcome, spent, parsed }: Evaluated): void {
    if (!outcome.ok && outcome.error.kind === 'timeout') {
      this.failed(version, outcome.error)
      return
    }
    this.clearFailure(version)
    const key = pageKey(version)
    const isQuick = spent <= QUICK_MS && (parsed || this.paces.get(key) === 'quick')
    this.paces.set(key, isQuick ? 'quick' : spent <= STEADY_MS ? 'steady' : 'slow')
  }

  /** Records that a page used too much processor time or crashed its process. */
  failed(version: PageVersion, error: TemplateError): void {
    const key = pageKey(version)
    this.paces.delete(key)
    const before = this.records.get(key)
    const strikes = (before?.strikes ?? 0) + 1
    const restMs =
      strikes < SUSPECT_STRIKES ? 0 : Math.min(2 * (before?.restMs ?? 0) || FIRST_REST_MS, LONGEST_REST_MS)
    const failure = { revision: version.revision, error }
    this.records.set(key, { strikes, failure, restMs, restsUntil: performance.now() + restMs })
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
