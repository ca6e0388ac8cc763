import { setTimeout as sleep } from 'node:timers/promises'
import { FairQueue } from '../../routers/api/fair-queue.ts'
import { Problem, problemOf, unavailable } from '../../routers/api/problem.ts'
import { withTemporaryFile } from './temporary-files.ts'

/** Limits on the archives that one process writes or reads at once, and on those that wait for their turn. */
const WORK = { running: 4, runningPerAccount: 1, waiting: 100, waitingPerAccount: 1 }

/** How long a request waits for the previous archive of the same account, in ms. */
const PATIENCE = 2_000
/** Number of seconds after which a client should retry a refused request. */
const RETRY_SECONDS = 5

/** A temporary archive. */
export interface TemporaryArchive {
  path: string
  /**
   * Runs work that writes or reads the archive, when it is its turn. Clients send and receive archives outside of this
   * work, so that slow clients do not keep others waiting.
   *
   * @throws `unavailable` while too many archives of all accounts are in work
   */
  work<T>(work: () => Promise<T>): Promise<T>
  /** Waits for the turn, for work that begins in another function. @returns ends the turn */
  turn(): Promise<() => void>
}

/** Limits the number of archives of each account, and the number that are in work. */
export class ArchiveSlots {
  /** The archive in progress of each account, as a promise that resolves when the archive is deleted. */
  readonly #busy = new Map<string, Promise<unknown>>()
  readonly #queue = new FairQueue(WORK)

  /**
   * Calls `use` with a temporary archive, which is deleted afterwards.
   *
   * @throws `rate_limited` while another archive of the account is in progress
   */
  async use<T>(accountId: string, use: (archive: TemporaryArchive) => Promise<T>): Promise<T> {
    // A client can send the next request just before the previous archive is deleted.
    await Promise.race([this.#busy.get(accountId), sleep(PATIENCE, undefined, { ref: false })])
    if (this.#busy.has(accountId))
      throw new Problem('rate_limited', {
        detail: `Another of your exports or imports is running; wait ${RETRY_SECONDS} s.`,
        retryAfter: RETRY_SECONDS,
      })
    const turn: TemporaryArchive['turn'] = () =>
      this.#queue.take(accountId, 1).catch((error: unknown) => {
        // The account has no other archive, so it waited for those of others.
        throw problemOf(error).problem === 'rate_limited' ? busy(error) : error
      })
    const work: TemporaryArchive['work'] = async run => {
      const end = await turn()
      return run().finally(end)
    }
    const result = withTemporaryFile(path => use({ path, work, turn })).finally(() =>
      this.#busy.delete(accountId),
    )
    this.#busy.set(
      accountId,
      result.catch(() => {}),
    )
    return result
  }
}

const busy = (cause: unknown) => unavailable('Too many exports and imports are running.', cause)
