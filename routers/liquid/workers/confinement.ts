import type { Job } from './job.ts'
import type { WorkerPool } from './pool.ts'

/** How long the worker is kept without work, in ms. */
const KEPT_MS = 20_000

/**
 * A separate low-priority worker for pages that were cut off recently. It runs only while such pages are opened, and
 * pauses after each job for as long as the job took, so that it uses at most half of a core.
 */
export class Confinement {
  private readonly launch: () => WorkerPool
  private readonly onReady: () => void
  private pool: WorkerPool | undefined
  private pause: NodeJS.Timeout | undefined
  private idleTimer: NodeJS.Timeout | undefined

  /**
   * @param launch starts the worker
   * @param onReady called when a pause is over
   */
  constructor(launch: () => WorkerPool, onReady: () => void) {
    this.launch = launch
    this.onReady = onReady
  }

  /** Whether a job could start right now. */
  isFree(): boolean {
    return this.pause === undefined && this.pool?.hasFree() === true
  }

  /** Returns the pool for a waiting job; starts its worker if necessary. */
  start(): WorkerPool {
    this.pool ??= this.launch()
    clearTimeout(this.idleTimer)
    this.idleTimer = setTimeout(() => void this.stopPool(), KEPT_MS).unref()
    return this.pool
  }

  /** To be called when a confined job has ended. */
  ended({ startedAt }: Job): void {
    clearTimeout(this.pause)
    this.pause = setTimeout(() => {
      this.pause = undefined
      this.onReady()
    }, performance.now() - startedAt)
  }

  jobs(): Job[] {
    return this.pool?.jobs() ?? []
  }

  async stop(): Promise<void> {
    clearTimeout(this.pause)
    await this.stopPool()
  }

  private async stopPool(): Promise<void> {
    clearTimeout(this.idleTimer)
    const { pool } = this
    this.pool = undefined
    await pool?.stop()
  }
}
