import type { TemplateError } from '../template-error.ts'

/** What a cut-off counts, and what an evaluation counts that only just stayed within its time. */
const CUT_OFF = 1
const SLOW = 0.5

/** The sums at which a page version, or a space, is kept to one place; and for how long after the last, in ms. */
const OF_PAGE = 2
const OF_SPACE = 6
const REMEMBERED_MS = 60_000
const KEPT = 2048

interface Strike {
  count: number
  until: number
  revision: string
  error: TemplateError | undefined
}

/**
 * Remembers which pages had to be cut off lately, or took nearly as long, so that a few hostile ones cannot take all children. Kept by page
 * version; and by space, or changing the page a little each time would be a way around it.
 */
export class Strikes {
  private readonly strikes = new Map<string, Strike>()

  /** @param error how it ended, if it was cut off */
  add(space: string, hash: string, revision: string, error?: TemplateError): void {
    this.count(pageKey(space, hash), revision, error)
    this.count(spaceKey(space), revision, error)
  }

  isConfined(space: string, hash: string): boolean {
    return this.reaches(pageKey(space, hash), OF_PAGE) || this.reaches(spaceKey(space), OF_SPACE)
  }

  /** The error a page version ended with, as long as nothing in its space has changed since. */
  lastError(space: string, hash: string, revision: string): TemplateError | undefined {
    const strike = this.current(pageKey(space, hash))
    return strike && strike.count >= OF_PAGE && strike.revision === revision ? strike.error : undefined
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

  private count(key: string, revision: string, error: TemplateError | undefined): void {
    const count = (this.current(key)?.count ?? 0) + (error ? CUT_OFF : SLOW)
    this.strikes.delete(key)
    this.strikes.set(key, { count, until: performance.now() + REMEMBERED_MS, revision, error })
    const [oldest] = this.strikes.keys()
    if (this.strikes.size > KEPT && oldest !== undefined) this.strikes.delete(oldest)
  }
}

function pageKey(space: string, hash: string): string {
  return `${hash}\n${space}`
}

function spaceKey(space: string): string {
  return `\n${space}`
}
