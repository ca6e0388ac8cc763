import { setTimeout as sleep } from 'node:timers/promises'
import { Problem, unavailable } from '../../routers/core/problem.ts'
import { withTemporaryFile } from './temporary-files.ts'

/** Maximum number of archives that one process works on at once. Each account can have one. */
const MAX_ARCHIVES = 4

/** How long a request waits for the previous archive of the same account, in ms. */
const PATIENCE = 2_000
/** Number of seconds after which a client should retry a refused request. */
const RETRY_SECONDS = 5

/** Limits the number of archives on disk. */
export class ArchiveSlots {
  /** The archive in progress of each account, as a promise that resolves when the archive is deleted. */
  readonly #busy = new Map<string, Promise<unknown>>()

  /**
   * Runs work with the path of a temporary archive, which is deleted afterwards.
   *
   * @throws `rate_limited` while another archive of the account is in progress, `unavailable` while too many archives
   *   of all accounts are in progress
   */
  async use<T>(accountId: string, work: (archive: string) => Promise<T>): Promise<T> {
    // A client can send the next request just before the previous archive is deleted.
    await Promise.race([this.#busy.get(accountId), sleep(PATIENCE, undefined, { ref: false })])
    if (this.#busy.has(accountId))
      throw new Problem('rate_limited', {
        detail: `Another of your exports or imports is running; wait ${RETRY_SECONDS} s.`,
        retryAfter: RETRY_SECONDS,
      })
    if (this.#busy.size >= MAX_ARCHIVES) throw unavailable('Too many exports and imports are running.')
    const result = withTemporaryFile(work).finally(() => this.#busy.delete(accountId))
    this.#busy.set(
      accountId,
      result.catch(() => {}),
    )
    return result
  }
}
