import { DatabaseBusyError } from './errors.ts'

/**
 * Maximum number of writers that wait for one row in this process, and the time in ms after which a writer gives up.
 */
const MAX_WAITING = 500
const MAX_WAIT = 5_000

/** A writer that waits for a row. */
interface Waiting<Work> {
  /** Gives the writer its turn. */
  start: () => void
  /** Set if the writer can share its turn with other writers. */
  shared?: Member<Work>
}

/** A writer that can share a turn with others: its work, and a callback for the outcome. */
export interface Member<Work> {
  work: Work
  settle: (outcome: PromiseSettledResult<unknown>) => void
}

/**
 * Gives the writers of a row their turns in order, one at a time. If they waited for the row's lock in the database
 * instead, each would hold a connection, and a few of them would leave the pool empty for all other requests.
 *
 * @typeParam Work work that can share the turn of another writer
 */
export class WriteQueue<Work = never> {
  readonly #queues = new Map<string, Waiting<Work>[]>()

  /**
   * Runs `work` after all earlier work with the same key has ended.
   *
   * @throws DatabaseBusyError when too many writers wait, or this writer has waited too long
   */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const waiting = this.#queues.get(key)
    if (waiting) await this.#wait(waiting)
    else this.#queues.set(key, [])
    try {
      return await work()
    } finally {
      this.#next(key)
    }
  }

  /**
   * Like {@link run}, but one turn can serve several writers.
   *
   * @param runAll runs the work of this writer. It can call `take` to get the next waiting writer. Then it also runs
   * the work of that writer, and passes the outcome to that writer's `settle`.
   */
  async share<T>(
    key: string,
    work: Work,
    runAll: (take: () => Member<Work> | undefined) => Promise<T>,
  ): Promise<T> {
    const waiting = this.#queues.get(key)
    if (!waiting) this.#queues.set(key, [])
    else {
      const outcome = await this.#wait(waiting, work)
      if (outcome?.status === 'fulfilled') return outcome.value as T
      if (outcome) throw outcome.reason
    }
    try {
      return await runAll(() => this.#take(key))
    } finally {
      this.#next(key)
    }
  }

  /**
   * Waits for a turn.
   *
   * @returns the outcome if this writer's work was done in the turn of another writer; otherwise undefined
   */
  #wait(waiting: Waiting<Work>[], work?: Work): Promise<PromiseSettledResult<unknown> | undefined> {
    if (waiting.length >= MAX_WAITING) throw new DatabaseBusyError()
    return new Promise((resolve, reject) => {
      const entry: Waiting<Work> = {
        start: () => {
          clearTimeout(timer)
          resolve(undefined)
        },
      }
      if (work !== undefined) entry.shared = { work, settle: resolve }
      const timer = setTimeout(() => {
        const at = waiting.indexOf(entry)
        // No longer in the queue: another writer's turn includes this work and will settle it.
        if (at === -1) return
        waiting.splice(at, 1)
        reject(new DatabaseBusyError())
      }, MAX_WAIT)
      waiting.push(entry)
    })
  }

  /** Removes and returns the writer that has waited longest, if it can share a turn. */
  #take(key: string): Member<Work> | undefined {
    const waiting = this.#queues.get(key)
    return waiting?.[0]?.shared && waiting.shift()?.shared
  }

  #next(key: string) {
    const next = this.#queues.get(key)?.shift()
    if (next) next.start()
    else this.#queues.delete(key)
  }
}
