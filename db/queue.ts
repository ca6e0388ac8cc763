import { DatabaseBusyError } from './unavailable.ts'

/**
 * Maximum number of writers that wait for one row in this process, and the time in ms after which a writer gives up.
 */
const MAX_WAITING = 500
const MAX_WAIT = 5_000

/**
 * Runs the writers of each row one at a time, in order. A writer that waited for the row's lock in the database would
 * hold a connection, and a few such writers would leave the pool empty for all other requests.
 */
export class WriteQueue {
  readonly #queues = new Map<string, { start: () => void }[]>()

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
