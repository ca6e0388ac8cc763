import type { Logger } from 'pino'
import type { FailedWork } from '../../routers/api/context.ts'

/** Logs the failures of work in the background, and remembers them for operators. */
export class FailedWorkLog {
  readonly #log: Pick<Logger, 'warn'>
  readonly #failed = new Map<string, FailedWork>()

  constructor(log: Pick<Logger, 'warn'>) {
    this.#log = log
  }

  /** Since the start, the latest first. */
  get list(): FailedWork[] {
    return [...this.#failed.values()].toSorted((a, b) => b.latest.getTime() - a.latest.getTime())
  }

  /** Returns what to call when the work has failed. */
  readonly onFailure = (what: string) => (err: unknown) => {
    this.#log.warn({ err }, what)
    this.#failed.set(what, { what, times: (this.#failed.get(what)?.times ?? 0) + 1, latest: new Date() })
  }
}
