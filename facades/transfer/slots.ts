import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { FairQueue } from '../../routers/api/fair-queue.ts'
import { Problem, problemOf, unavailable } from '../../routers/api/problem.ts'

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

/** The name of a temporary folder begins with this and the id of the process that uses it. */
const PREFIX = 'space-site-transfer-'

/** Runs work with the path of a temporary archive, which is deleted afterwards. */
export const withTemporaryFile = async <T>(work: (file: string) => Promise<T>): Promise<T> => {
  const folder = await mkdtemp(path.join(os.tmpdir(), `${PREFIX}${process.pid}-`))
  try {
    return await work(path.join(folder, 'space.zip'))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Time in ms after which no process uses an archive any more. */
const MAX_AGE = 86_400_000

/**
 * Deletes the archives of processes that have ended without deleting them, such as processes that were killed. Errors
 * are ignored: the folder may belong to another user, or another process may be deleting it.
 */
export const deleteAbandonedFiles = async (): Promise<void> => {
  const names = await readdir(os.tmpdir()).catch(() => [])
  for (const name of names.filter(one => one.startsWith(PREFIX))) {
    const folder = path.join(os.tmpdir(), name)
    const pid = Number(/^\d+(?=-)/.exec(name.slice(PREFIX.length))?.[0])
    const changed = (await stat(folder).catch(() => undefined))?.mtimeMs
    if (changed === undefined || (isInUse(pid, changed) && changed > Date.now() - MAX_AGE)) continue
    await rm(folder, { recursive: true, force: true }).catch(() => {})
  }
}

/**
 * Whether a process may be using its folder. In a container, a new process often has the same id as the one before it,
 * so a folder that is older than this process does not belong to it. An earlier version did not write the id.
 */
const isInUse = (pid: number, changed: number): boolean => {
  if (Number.isNaN(pid)) return true
  if (pid === process.pid) return changed >= Date.now() - process.uptime() * 1000
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
