import type { TemplateError } from '../../core/renderer.ts'

/** What a cut-off counts, and what an evaluation counts that only just stayed within its time. */
export const CUT_OFF = 1
export const SLOW = 0.5

/** The sums at which a page version, or a space, is kept to one place; and for how long after the last, in ms. */
const OF_PAGE = 2
const OF_SPACE = 6
const REMEMBERED_MS = 60_000
const KEPT = 2048

/** How long a page version that keeps failing is not tried again: twice as long after each further time, in ms. */
const FIRST_REST_MS = 1_000
const LONGEST_REST_MS = 30_000

/** A page at one revision of its space: evaluating it again gives the same, but for the time that it takes. */
export interface PageVersion {
  space: string
  revision: string
  page: { id: string }
}

interface Strike {
  count: number
  until: number
  error: TemplateError | undefined
  rest: number
  restsUntil: number
}

/**
 * Remembers which pages had to be cut off lately, or took nearly as long, so that a few hostile ones cannot take all
 * children. Kept by page version; and by space, or changing something each time would be a way around it.
 */
export class Strikes {
  private readonly strikes = new Map<string, Strike>()

  /** @param error how it ended, if not well */
  add(version: PageVersion, weight: number, error?: TemplateError): void {
    this.count(pageKey(version), weight, error)
    this.count(spaceKey(version), weight, undefined)
  }

  /** Forgets how a page version ended, which has shown since that it can do better; not how often it was slow. */
  forgive(version: PageVersion): void {
    const strike = this.strikes.get(pageKey(version))
    if (strike) strike.error = undefined
  }

  isConfined(version: PageVersion): boolean {
    return this.reaches(pageKey(version), OF_PAGE) || this.reaches(spaceKey(version), OF_SPACE)
  }

  /** The error that a page version ended with again and again. */
  lastError(version: PageVersion): TemplateError | undefined {
    const strike = this.current(pageKey(version))
    return strike && strike.count >= OF_PAGE ? strike.error : undefined
  }

  /** Whether it failed so lately that trying again would be a waste. */
  isResting(version: PageVersion): boolean {
    return (this.current(pageKey(version))?.restsUntil ?? 0) > performance.now()
  }

  private reaches(key: string, limit: number): boolean {
    const strike = this.current(key)
    return strike !== undefined && strike.count >= limit
  }

  private current(key: string): Strike | undefined {
    const strike = this.strikes.get(key)
    if (!strike || strike.until > performance.now()) return strike
    this.strikes.delete(key)
    return undefined
  }

  private count(key: string, weight: number, error: TemplateError | undefined): void {
    const before = this.current(key)
    const count = (before?.count ?? 0) + weight
    const rest = count < OF_PAGE ? 0 : Math.min(2 * (before?.rest ?? 0) || FIRST_REST_MS, LONGEST_REST_MS)
    const now = performance.now()
    this.strikes.delete(key)
    this.strikes.set(key, { count, until: now + REMEMBERED_MS, error, rest, restsUntil: now + rest })
    const [oldest] = this.strikes.keys()
    if (this.strikes.size > KEPT && oldest !== undefined) this.strikes.delete(oldest)
  }
}

function pageKey({ space, revision, page }: PageVersion): string {
  return `${page.id}\n${revision}\n${space}`
}

function spaceKey({ space }: PageVersion): string {
  return `\n${space}`
}
