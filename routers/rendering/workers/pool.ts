import { CpuClock } from './cpu-clock.ts'
import type { Job } from './job.ts'
import { Worker } from './worker.ts'

/** Backoff between attempts to start a process that fails to start, in ms. */
const FIRST_BACKOFF_MS = 100
const LONGEST_BACKOFF_MS = 5_000

/** How long the last remaining worker is reserved for quick jobs, in ms; a replacement is usually ready by then. */
const LAST_WORKER_MS = 1_000

interface PoolOptions {
  /** Number of workers that take jobs. */
  size: number
  /** Number of additional workers that are started in advance to replace lost ones. */
  spares: number
  /** Called when a worker may have become free although no job has ended. */
  onFree: () => void
  /** Called with a problem that operators should see in the log. */
  onTrouble: (details: object) => void
}

/** A fixed number of workers, replaced as they are lost. */
export class WorkerPool {
  private readonly options: PoolOptions
  private readonly starting = new Set<Worker>()
  private active: Worker[] = []
  private spares: Worker[] = []
  private failures = 0
  private backoff: NodeJS.Timeout | undefined
  private lastWorkerTimer: NodeJS.Timeout | undefined
  private reservesLastWorker = false
  private closed = false
  readonly canInterrupt = CpuClock.isAvailable

  constructor(options: PoolOptions) {
    this.options = options
    this.fill()
  }

  hasFree(): boolean {
    return this.active.some(worker => worker.isIdle)
  }

  /** Returns a free worker, preferably one that already has the job's page or at least its space. */
  free(job: Job): Worker | undefined {
    const idle = this.active.filter(worker => worker.isIdle)
    if (job.type === 'analyze') return idle[0]
    const ready = idle.find(worker => worker.missing(job) === null)
    return ready ?? idle.find(worker => worker.hasSpace(job.request)) ?? idle[0]
  }

  /** The jobs that workers are running. */
  jobs(): Job[] {
    return this.active.flatMap(worker => worker.current ?? [])
  }

  /**
   * Returns how many workers may take jobs that are not known to be quick. One worker is kept free for quick jobs. In a
   * pool of one worker, that worker takes all jobs. If a larger pool has lost all workers but one, the last worker is
   * kept free only for `LAST_WORKER_MS`.
   */
  unprovenLimit(): number {
    return Math.max(this.reservesLastWorker ? 0 : 1, this.active.length - 1)
  }

  async stop(): Promise<void> {
    this.closed = true
    clearTimeout(this.backoff)
    clearTimeout(this.lastWorkerTimer)
    await Promise.all([...this.active, ...this.spares, ...this.starting].map(worker => worker.stop()))
  }

  private fill(): void {
    if (this.closed) return
    const { size, spares } = this.options
    while (this.active.length + this.spares.length + this.starting.size < size) void this.follow(new Worker())
    // Start spares only after all active workers are ready. Otherwise, the spares would compete with these workers.
    while (this.active.length === size && this.spares.length + this.starting.size < spares)
      void this.follow(new Worker())
  }

  /** Adds a worker once it is ready, and replaces it when it takes no more jobs. */
  private async follow(worker: Worker): Promise<void> {
    this.starting.add(worker)
    if (!(await worker.started)) {
      this.retryStart(worker)
      return
    }
    this.add(worker)
    const cause = await worker.ended
    this.remove(worker)
    // If a job ended too, whoever waits for it looks for a free worker afterwards.
    if (!cause) return
    this.options.onTrouble({ cause, stderr: worker.stderr })
    this.options.onFree()
  }

  private add(worker: Worker): void {
    this.failures = 0
    this.reservesLastWorker = false
    this.starting.delete(worker)
    if (this.active.length < this.options.size) this.active.push(worker)
    else this.spares.push(worker)
    this.fill()
    this.options.onFree()
  }

  private retryStart(worker: Worker): void {
    this.starting.delete(worker)
    this.options.onTrouble({ starting: true, stderr: worker.stderr })
    if (this.closed) return
    const pause = Math.min(FIRST_BACKOFF_MS * 2 ** this.failures, LONGEST_BACKOFF_MS)
    this.failures += 1
    clearTimeout(this.backoff)
    this.backoff = setTimeout(() => this.fill(), pause)
  }

  /** Removes a worker; a spare takes its place at once, and a new spare is started. */
  private remove(worker: Worker): void {
    this.active = this.active.filter(other => other !== worker)
    this.spares = this.spares.filter(other => other !== worker)
    if (this.active.length < this.options.size) this.active.push(...this.spares.splice(0, 1))
    if (this.active.length === 1 && this.options.size > 1) this.reserveLastWorker()
    this.fill()
  }

  private reserveLastWorker(): void {
    this.reservesLastWorker = true
    clearTimeout(this.lastWorkerTimer)
    this.lastWorkerTimer = setTimeout(() => {
      this.reservesLastWorker = false
      this.options.onFree()
    }, LAST_WORKER_MS)
  }
}
