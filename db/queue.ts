import { DatabaseBusyError } from './unavailable.ts'

/** Writers of one row that wait in this process, and milliseconds that each waits at most. */
const MAX_WAITING = 500
const MAX_WAIT = 5_000

/**
 * Lets one writer of a row into the database at a time; the others wait here, in order. In the database they would
 * each hold a connection while they wait for the row's lock, and the pool would be empty for everybody else.
 */
export class WriteQueue {
  readonly #queues = new Map<string, { start: () => void }[]>()

  /**
   * Runs work when the earlier work of the same key has ended.
   *
   * @throws DatabaseBusyError when too many wait, or this one has waited too long
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

  #wait(waiting: { start: () => void }[]): Promise<void> {
    if (waiting.length >= MAX_WAITING) throw new DatabaseBusyError()
    return new Promise((resolve, reject) => {
      const entry = {
        start: () => {
          clearTimeout(timer)
          resolve()
        },
      }
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(entry), 1)
        reject(new DatabaseBusyError())
      }, MAX_WAIT)
      waiting.push(entry)
    })
  }

  #next(key: string) {
    const next = this.#queues.get(key)?.shift()
    if (next) next.start()
    else this.#queues.delete(key)
  }
}
