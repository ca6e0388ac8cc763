import { CpuClock } from './cpu-clock.ts'
import type { Job } from './job.ts'
import { type Completed, type LossCause, Worker } from './worker.ts'

/** Callbacks of a pool. */
export interface PoolEvents {
  /** A worker may have become free. */
  onFree(): void
  onCompleted(completed: Completed): void
  onMissing(job: Job): void
  onTimeout(job: Job): void
  onStarved(job: Job): void
  shouldYield(job: Job, isLong: boolean): boolean
  onYielded(job: Job, isLong: boolean): void
  onLost(job: Job, cause: LossCause): void
  /** Called with a problem that operators should see in the log. */
  onTrouble(details: object): void
}

/** Backoff between attempts to start a process that fails to start, in ms. */
const FIRST_BACKOFF_MS = 100
const LONGEST_BACKOFF_MS = 5_000

/** How long the last remaining worker is reserved for quick jobs, in ms; a replacement is usually ready by then. */
const LAST_WORKER_MS = 1_000

export interface PoolOptions {
  /** Number of workers that take jobs. */
  size: number
  /** Number of additional workers that are started in advance to replace lost ones. */
  spares: number
}

/** A fixed number of workers, replaced as they are lost. */
export class WorkerPool {
  private readonly size: number
  private readonly spareCount: number
  private readonly events: PoolEvents
  private readonly starting = new Set<Worker>()
  private active: Worker[] = []
  private spares: Worker[] = []
  private failures = 0
  private backoff: NodeJS.Timeout | undefined
  private lastWorkerTimer: NodeJS.Timeout | undefined
  private reservesLastWorker = false
  private closed = false
  readonly canInterrupt = CpuClock.isAvailable

  constructor(events: PoolEvents, { size, spares }: PoolOptions) {
    this.size = size
    this.spareCount = spares
    this.events = events
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
    while (this.active.length + this.spares.length + this.starting.size < this.size) {
      this.starting.add(this.launch())
    }
    // Start spares only after all active workers are ready. Otherwise, the spares would compete with these workers.
    while (this.active.length === this.size && this.spares.length + this.starting.size < this.spareCount) {
      this.starting.add(this.launch())
    }
  }

  private launch(): Worker {
    return new Worker({
      onReady: worker => this.add(worker),
      onCompleted: (worker, completed) => {
        this.events.onCompleted(completed)
        if (completed.bloated) this.replace(worker)
        this.events.onFree()
      },
      onBloated: worker => this.replace(worker),
      onMissing: (_worker, job) => this.events.onMissing(job),
      onTimeout: (worker, job) => {
        this.remove(worker)
        this.events.onTimeout(job)
        this.events.onFree()
      },
      onStarved: (_worker, job) => {
        this.events.onStarved(job)
        this.events.onFree()
      },
      shouldYield: (job, isLong) => this.events.shouldYield(job, isLong),
      onYielded: (_worker, job, isLong) => {
        this.events.onYielded(job, isLong)
        this.events.onFree()
      },
      onLost: (worker, job, cause) => {
        if (this.starting.has(worker)) return this.retryStart(worker)
        this.remove(worker)
        if (job) this.events.onLost(job, cause)
        else this.events.onTrouble({ cause, stderr: worker.stderr })
        this.events.onFree()
      },
    })
  }

  private add(worker: Worker): void {
    this.failures = 0
    this.reservesLastWorker = false
    this.starting.delete(worker)
    if (this.active.length < this.size) this.active.push(worker)
    else this.spares.push(worker)
    this.fill()
    this.events.onFree()
  }

  private retryStart(worker: Worker): void {
    this.starting.delete(worker)
    this.events.onTrouble({ starting: true, stderr: worker.stderr })
    if (this.closed) return
    const pause = Math.min(FIRST_BACKOFF_MS * 2 ** this.failures, LONGEST_BACKOFF_MS)
    this.failures += 1
    clearTimeout(this.backoff)
    this.backoff = setTimeout(() => this.fill(), pause)
  }

  private replace(worker: Worker): void {
    this.remove(worker)
    void worker.stop()
  }

  /** Removes a worker; a spare takes its place at once, and a new spare is started. */
  private remove(worker: Worker): void {
    this.active = this.active.filter(other => other !== worker)
    this.spares = this.spares.filter(other => other !== worker)
    if (this.active.length < this.size) this.active.push(...this.spares.splice(0, 1))
    if (this.active.length === 1 && this.size > 1) this.reserveLastWorker()
    this.fill()
  }

  private reserveLastWorker(): void {
    this.reservesLastWorker = true
    clearTimeout(this.lastWorkerTimer)
    this.lastWorkerTimer = setTimeout(() => {
      this.reservesLastWorker = false
      this.events.onFree()
    }, LAST_WORKER_MS)
  }
}
