import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from './orm.ts'
import { readPrimaryIdentity, readStandbyIdentity } from './queries/replication.ts'

/** Time between two probes in ms. */
const INTERVAL = 1_000

/** Timeout of a probe in ms. */
const TIMEOUT = 1_000

/** Time in ms that a read waits for the replica alone. Then it is sent to the primary too. */
const HEDGE = 100

/** After this many reads in a row that the replica answered late or not at all, no more reads are sent to it. */
const STRIKES = 5

/**
 * Length of the first pause in ms. During a pause, the replica gets no reads. A pause begins after `STRIKES` late or
 * missing answers in a row. Each further pause is twice as long, up to `MAX_PAUSE`. Once the replica answers a read in
 * time, the next pause has the first length again.
 */
const PAUSE = 5_000
const MAX_PAUSE = 60_000

const SLOW = Symbol('slow')

/** Numbers of reads that were sent to the replica, by result. `behind`: the replica lacked the requested version. */
export interface ReplicaReads {
  answered: number
  behind: number
  failed: number
}

interface Options {
  /** The query builders for the replica and for the primary. */
  replica: Sql
  primary: Sql
  /** Closes all connections to the replica. */
  cut: () => void
  /** Called when the replica becomes available, and when it becomes unavailable, with the reason. */
  onChange: (isAvailable: boolean, reason?: string) => void
}

/**
 * A streaming standby that answers large reads in place of the primary.
 *
 * The replica may be behind the primary. Therefore, the caller first asks the primary which version to read. If the
 * replica does not have that version, the read must return undefined. The primary then answers the read. The primary
 * also answers the read if the replica fails. So a problem of the replica never causes a stale or failed response. The
 * replica delays a response by at most `HEDGE`.
 *
 * `unavailable`: a read or a probe has failed. `paused`: the replica is available, but it answered recent reads late or
 * not at all.
 */
export class Replica {
  readonly #options: Options
  readonly #counts: ReplicaReads = { answered: 0, behind: 0, failed: 0 }
  readonly #stopping = new AbortController()
  #state: 'unknown' | 'used' | 'paused' | 'unavailable' = 'unknown'
  #strikes = 0
  #pause = PAUSE
  /** When the next probe is due. Applies only while the replica is not used. */
  #retryAt = 0

  constructor(options: Options) {
    this.#options = options
  }

  /** Whether reads are sent to the replica. */
  get isUsed(): boolean {
    return this.#state === 'used'
  }

  /** The numbers of reads since the start. */
  get reads(): Readonly<ReplicaReads> {
    return this.#counts
  }

  /** Starts to probe the replica. No read is sent to it before the first successful probe. */
  watch(): void {
    void this.#run()
  }

  stop(): void {
    this.#stopping.abort()
  }

  /**
   * Runs a read on the replica if that is possible, otherwise on the primary.
   *
   * @param read returns undefined if the server does not have the requested version
   */
  async read<T>(read: (sql: Sql) => Promise<T | undefined>): Promise<T | undefined> {
    const { primary } = this.#options
    if (!this.isUsed) return read(primary)
    const onReplica = this.#attempt(read)
    const found = await orSlow(onReplica)
    if (found !== SLOW) {
      if (found === undefined) this.#strike()
      else this.#succeed()
      return found ?? read(primary)
    }
    this.#strike()
    const onPrimary = read(primary)
    return Promise.race([onReplica.then(late => late ?? onPrimary), onPrimary])
  }

  /** Runs a read on the replica. Resolves to undefined if it fails. */
  async #attempt<T>(read: (sql: Sql) => Promise<T | undefined>): Promise<T | undefined> {
    try {
      const found = await read(this.#options.replica)
      this.#counts[found === undefined ? 'behind' : 'answered'] += 1
      return found
    } catch (error) {
      this.#counts.failed += 1
      this.#markUnavailable(reasonOf(error))
      return undefined
    }
  }

  #succeed(): void {
    this.#strikes = 0
    this.#pause = PAUSE
  }

  #strike(): void {
    this.#strikes += 1
    if (this.#strikes < STRIKES || !this.isUsed) return
    this.#state = 'paused'
    this.#retryAt = performance.now() + this.#pause
    this.#pause = Math.min(2 * this.#pause, MAX_PAUSE)
  }

  #markUnavailable(reason: string): void {
    if (this.#stopping.signal.aborted) return
    const wasAvailable = this.#state !== 'unavailable'
    this.#state = 'unavailable'
    this.#retryAt = performance.now() + PAUSE
    // Let the other reads on the replica fail now. If the server is frozen, it would never answer them.
    this.#options.cut()
    if (wasAvailable) this.#options.onChange(false, reason)
  }

  #use(): void {
    const wasAvailable = this.#state === 'used' || this.#state === 'paused'
    if (this.#state !== 'used') this.#strikes = 0
    this.#state = 'used'
    if (!wasAvailable) this.#options.onChange(true)
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping
    while (!signal.aborted) {
      if (this.isUsed || performance.now() >= this.#retryAt) await this.#probe()
      await sleep(INTERVAL, undefined, { ref: false, signal }).catch(() => {})
    }
  }

  async #probe(): Promise<void> {
    const primary = await readPrimaryIdentity(this.#options.primary).catch(() => undefined)
    // Every read asks the primary first. While the primary fails, no read can use the replica, so do not probe it.
    if (!primary || this.#stopping.signal.aborted) return
    const timeout = sleep(TIMEOUT, 'The probe timed out', { ref: false })
    const fault = await Promise.race([this.#fault(primary), timeout])
    if (fault === undefined) this.#use()
    else this.#markUnavailable(fault)
  }

  /**
   * Returns why the replica cannot be used; undefined if it can be used. After a failover, a standby may still follow
   * the old primary. Such a standby cannot be used, because it can have versions that the new primary never received.
   * The new primary uses the numbers of those versions again, for other content.
   */
  async #fault(primary: Awaited<ReturnType<typeof readPrimaryIdentity>>): Promise<string | undefined> {
    try {
      const { is_standby, system, timeline } = await readStandbyIdentity(this.#options.replica)
      if (!is_standby || system !== primary.system) return 'The replica is not a standby of the database'
      if (timeline !== primary.timeline)
        return 'The replica has not followed the database since the last failover'
      return undefined
    } catch (error) {
      return reasonOf(error)
    }
  }
}

/** Resolves to `SLOW` if the result takes longer than `HEDGE`. */
const orSlow = async <T>(result: Promise<T>): Promise<T | typeof SLOW> => {
  let timer: NodeJS.Timeout | undefined
  const slow = new Promise<typeof SLOW>(resolve => {
    // If this process was busy, the timer is late, and responses may have arrived in the meantime. Let the process read
    // these responses first.
    timer = setTimeout(() => setImmediate(resolve, SLOW), HEDGE)
  })
  try {
    return await Promise.race([result, slow])
  } finally {
    clearTimeout(timer)
  }
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
