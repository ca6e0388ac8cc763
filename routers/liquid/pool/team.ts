import type { Job } from './job.ts'
import { type Done, Worker } from './worker.ts'

/** What the team tells the pool. */
export interface TeamEvents {
  /** A worker is free. */
  onFree(): void
  onDone(done: Done): void
  onLack(job: Job): void
  onOverrun(job: Job): void
  onLost(job: Job, aborted: boolean): void
  /** Something an operator may want to know. */
  onTrouble(details: object): void
}

/** Pauses between attempts to start a child that does not come up, in ms. */
const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 5_000

/** How long the last child that is left is kept for quick jobs; another one is up by then, unless something is wrong. */
const SPARING_MS = 1_000

/** What a team is made of. */
export interface TeamOptions {
  /** Workers at work. */
  size: number
  /** Further ones, up and ready to step in. */
  reserve: number
  /** Whether the machine should do everything else first. */
  isBackground?: boolean
}

/** So many workers at work and in reserve, replaced as they are lost. */
export class Team {
  private readonly size: number
  private readonly reserve: number
  private readonly isBackground: boolean
  private readonly events: TeamEvents
  private readonly starting = new Set<Worker>()
  private active: Worker[] = []
  private spares: Worker[] = []
  private failures = 0
  private pause: NodeJS.Timeout | undefined
  private sparing: NodeJS.Timeout | undefined
  private sparesLast = false
  private closed = false

  constructor(events: TeamEvents, { size, reserve, isBackground = false }: TeamOptions) {
    this.size = size
    this.reserve = reserve
    this.isBackground = isBackground
    this.events = events
    this.fill()
  }

  hasFree(): boolean {
    return this.active.some(worker => worker.isIdle)
  }

  /** A free worker, rather one that has the page of `job` already, or at least its space. */
  free(job: Job): Worker | undefined {
    const idle = this.active.filter(worker => worker.isIdle)
    if (job.type === 'analyse') return idle[0]
    const ready = idle.find(worker => worker.lacking(job) === null)
    return ready ?? idle.find(worker => worker.knows(job.request)) ?? idle[0]
  }

  /** The jobs under way. */
  jobs(): Job[] {
    return this.active.flatMap(worker => worker.current ?? [])
  }

  /**
   * How many children may be at jobs that are not known to be quick: all but one. That holds for a moment also when only
   * one is left, for others were cut off together with their pages; the next such page shall not have the last one.
   */
  doubtful(): number {
    return Math.max(this.sparesLast ? 0 : 1, this.active.length - 1)
  }

  async stop(): Promise<void> {
    this.closed = true
    clearTimeout(this.pause)
    clearTimeout(this.sparing)
    await Promise.all([...this.active, ...this.spares, ...this.starting].map(worker => worker.stop()))
  }

  private fill(): void {
    if (this.closed) return
    while (this.active.length + this.spares.length + this.starting.size < this.size) {
      this.starting.add(this.launch())
    }
    // The reserve is only started when it does not compete with those that readers wait for.
    while (this.active.length === this.size && this.spares.length + this.starting.size < this.reserve) {
      this.starting.add(this.launch())
    }
  }

  private launch(): Worker {
    return new Worker(this.isBackground, {
      onReady: worker => this.welcome(worker),
      onDone: (worker, done) => {
        this.events.onDone(done)
        if (done.bloated) this.replace(worker)
        this.events.onFree()
      },
      onBloated: worker => this.replace(worker),
      onLack: (_worker, job) => this.events.onLack(job),
      onOverrun: (worker, job) => {
        this.remove(worker)
        this.events.onOverrun(job)
        this.events.onFree()
      },
      onLost: (worker, job, aborted) => {
        if (this.starting.has(worker)) return this.failed(worker)
        this.remove(worker)
        if (job) this.events.onLost(job, aborted)
        else this.events.onTrouble({ aborted, lastWords: worker.lastWords })
        this.events.onFree()
      },
    })
  }

  private welcome(worker: Worker): void {
    this.failures = 0
    this.sparesLast = false
    this.starting.delete(worker)
    if (this.active.length < this.size) this.active.push(worker)
    else this.spares.push(worker)
    this.fill()
    this.events.onFree()
  }

  /** A child that never came up: the next attempt waits, longer each time. */
  private failed(worker: Worker): void {
    this.starting.delete(worker)
    this.events.onTrouble({ starting: true, lastWords: worker.lastWords })
    if (this.closed) return
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** this.failures, LONGEST_PAUSE_MS)
    this.failures += 1
    clearTimeout(this.pause)
    this.pause = setTimeout(() => this.fill(), pause)
  }

  private replace(worker: Worker): void {
    this.remove(worker)
    void worker.stop()
  }

  /** Takes a worker out; the one in reserve steps in at once, and another is started to be the reserve. */
  private remove(worker: Worker): void {
    this.active = this.active.filter(other => other !== worker)
    this.spares = this.spares.filter(other => other !== worker)
    if (this.active.length < this.size) this.active.push(...this.spares.splice(0, 1))
    if (this.active.length === 1 && this.size > 1) this.spareLast()
    this.fill()
  }

  private spareLast(): void {
    this.sparesLast = true
    clearTimeout(this.sparing)
    this.sparing = setTimeout(() => {
      this.sparesLast = false
      this.events.onFree()
    }, SPARING_MS)
  }
}
