import { LRUCache } from 'lru-cache'
import type { RenderRequest } from '../../api/renderer.ts'
import { CPU_LIMIT_MS, FIRST_TURN_MS } from '../engine/budget.ts'
import type { Order, Report } from '../messages.ts'
import type { Job, RenderJob } from './job.ts'
import { WorkerProcess } from './process.ts'

/**
 * Processor time in one phase, in ms, after which the service kills the process. Before that, at `CPU_LIMIT_MS`, the
 * service tries to interrupt the job.
 */
const KILL_MS = 400

/**
 * Elapsed time of a phase, in ms, after which the process counts as hung; longer than any attempt of engine/guard.ts.
 */
const HUNG_MS = 8_000

/**
 * Processor time of a phase, in ms, before a job can be interrupted for other jobs. An earlier signal would be lost: at
 * the start of a phase, a worker ignores signals, because they could be meant for the previous job.
 */
const EARLIEST_YIELD_MS = 15

/** Pause between two checks of whether other jobs are waiting, in ms. */
const YIELD_CHECK_MS = 10

/** Shortest pause between two readings of a process's clock, in ms. */
const SHORTEST_PAUSE_MS = 5

/**
 * Signals that end a process if a job crashes the process or uses up the memory, and the exit codes that stand for
 * these signals. Such a job is not retried. If a process ends in any other way, the job did not cause the end.
 */
const CRASHES = new Set<unknown>([
  'SIGABRT',
  'SIGTRAP',
  'SIGILL',
  'SIGSEGV',
  'SIGBUS',
  134,
  133,
  132,
  139,
  135,
])

const START_TIMEOUT_MS = 20_000

/**
 * The service remembers which spaces and which page bodies it sent to each worker. For each worker, this is the maximum
 * number of remembered spaces, and also of remembered bodies. A space or body that is not remembered is sent again.
 */
const TRACKED = 1024

/** Why a process ended: its job crashed it, it stopped responding, or it was killed from outside. */
export type LossCause = 'crashed' | 'hung' | 'killed'

/** What happened to a job that was given to a worker. Only a `rendered` or `analyzed` job is done. */
export type Ending =
  | Extract<Report, { type: 'rendered' | 'analyzed' }>
  /** The process no longer has the snapshot or body that the job needs, and the job was sent without it. */
  | { type: 'missing' }
  /** The machine was too busy for the job. */
  | { type: 'starved' }
  /** The job was interrupted because other jobs are waiting. `isLong`: it had run longer than `FIRST_TURN_MS`. */
  | { type: 'yielded'; isLong: boolean }
  /** The job used up its processor time and its process had to be killed. */
  | { type: 'timeout' }
  /** The process has ended. */
  | { type: 'lost'; cause: LossCause }

/** Whether to interrupt a job for other jobs. `isLong`: it has run longer than `FIRST_TURN_MS`. */
type ShouldYield = (job: Job, isLong: boolean) => boolean

/** The data that has to be read before a worker can evaluate a page. */
export interface Missing {
  snapshot: boolean
  html: boolean
}

/** A worker process and the job it is working on. */
export class Worker {
  /**
   * Spaces and page bodies that the process has, with the revision of the space. A wrong entry only causes one more
   * message.
   */
  private readonly snapshots = new LRUCache<string, string>({ max: TRACKED })
  private readonly bodies = new LRUCache<string, string>({ max: TRACKED })
  private readonly process: WorkerProcess
  private readonly starting = Promise.withResolvers<boolean>()
  private readonly ending = Promise.withResolvers<LossCause | null>()
  private timer: NodeJS.Timeout
  /**
   * When the current phase began, in ms. `threadTime`: the processor time that the process had used by then. `elapsed`:
   * the time by the clock of `performance.now()`.
   */
  private phase = { threadTime: 0, elapsed: 0 }
  private isInterrupted = false
  /** Set if the job was interrupted for other jobs. */
  private yielded: { type: 'yielded'; isLong: boolean } | undefined
  private job: Job | undefined
  private shouldYield: ShouldYield = () => false
  private settle: (ending: Ending) => void = () => {}
  private orders = 0
  private ready = false
  private gone = false
  /** Resolves when the process can take jobs; with false if it ends before that. */
  readonly started: Promise<boolean> = this.starting.promise
  /**
   * Resolves when the process takes no more jobs: with the cause if it ended without a job, else with null. Does not
   * resolve after `stop`.
   */
  readonly ended: Promise<LossCause | null> = this.ending.promise

  constructor() {
    this.timer = setTimeout(() => this.process.kill(), START_TIMEOUT_MS)
    this.process = new WorkerProcess({
      onReport: report => this.receive(report),
      onExit: ({ code, signal }) => this.lose(CRASHES.has(signal ?? code) ? 'crashed' : 'killed'),
    })
  }

  /** The end of the process's standard error. */
  get stderr(): string {
    return this.process.stderr
  }

  get isIdle(): boolean {
    return this.ready && !this.gone && this.job === undefined
  }

  /** The job that the process is running. */
  get current(): Job | undefined {
    return this.job
  }

  /** Whether the process has the space of a request at the requested revision. */
  hasSpace({ space, revision }: RenderRequest): boolean {
    return this.snapshots.get(space) === revision
  }

  /** Returns which data has to be read before the process can do the job, or null if it has everything. */
  missing({ request, snapshot, html }: RenderJob): Missing | null {
    const missing = {
      snapshot: snapshot === undefined && !this.hasSpace(request),
      html: html === undefined && !this.hasBody(request),
    }
    return missing.snapshot || missing.html ? missing : null
  }

  /** Does a job in the idle process. The promise does not settle after `stop`. */
  run(job: Job, shouldYield: ShouldYield): Promise<Ending> {
    this.job = job
    this.shouldYield = shouldYield
    this.yielded = undefined
    this.orders += 1
    this.process.send(this.orderFor(job))
    this.beginPhase(this.process.threadTime() ?? 0)
    return new Promise(resolve => {
      this.settle = resolve
    })
  }

  /** Kills the process. */
  async stop(): Promise<void> {
    this.gone = true
    clearTimeout(this.timer)
    this.process.kill()
    await this.process.exited
  }

  private hasBody({ page, revision }: RenderRequest): boolean {
    return this.bodies.get(page.id) === revision
  }

  private orderFor(job: Job): Order {
    const id = this.orders
    if (job.type === 'analyze')
      return { type: 'analyze', id, html: job.html, ...(job.rename && { rename: job.rename }) }
    const { request, snapshot, html, headOnly } = job
    const { space, revision, page } = request
    const order: Order = { type: 'render', id, space, revision, page, headOnly }
    if (!this.hasSpace(request) && snapshot !== undefined) order.snapshot = snapshot
    if (!this.hasBody(request) && html !== undefined) order.html = html
    this.snapshots.set(space, revision)
    this.bodies.set(page.id, revision)
    return order
  }

  private beginPhase(threadTime: number): void {
    this.phase = { threadTime, elapsed: performance.now() }
    this.isInterrupted = false
    this.checkAfter(this.untilNextCheck(0))
  }

  private checkAfter(milliseconds: number): void {
    clearTimeout(this.timer)
    const { phase } = this
    // If this process was delayed, handle the worker's reports first: the phase may be over.
    const check = () => setImmediate(() => phase === this.phase && this.check())
    this.timer = setTimeout(check, Math.max(milliseconds, SHORTEST_PAUSE_MS))
  }

  /** Stops the job if its phase has used up its processor time; otherwise schedules the next check. */
  private check(): void {
    const { job } = this
    if (!job || this.gone) return
    const now = this.process.threadTime()
    const spent = now === undefined ? 0 : now - this.phase.threadTime
    if (spent >= KILL_MS) this.abandon({ type: 'timeout' })
    else if (performance.now() - this.phase.elapsed >= HUNG_MS) this.abandon({ type: 'lost', cause: 'hung' })
    else {
      const isLong = spent >= FIRST_TURN_MS
      if (spent >= CPU_LIMIT_MS) this.interrupt()
      else if (spent >= EARLIEST_YIELD_MS && this.mayYield() && this.shouldYield(job, isLong)) {
        this.yielded = { type: 'yielded', isLong }
        this.interrupt()
      }
      this.checkAfter(this.untilNextCheck(spent))
    }
  }

  private untilNextCheck(spent: number): number {
    if (this.isInterrupted) return KILL_MS - spent
    if (!this.mayYield()) return CPU_LIMIT_MS - spent
    const isFirstTurn = spent < FIRST_TURN_MS && !this.job?.borrows
    return isFirstTurn ? FIRST_TURN_MS - spent : Math.min(YIELD_CHECK_MS, CPU_LIMIT_MS - spent)
  }

  /**
   * Whether the job can be interrupted for other jobs. An interrupted job starts over, so a long job would never
   * complete if it were interrupted each time. Only jobs with the standing `unproven` are interrupted (see `Standing`).
   */
  private mayYield(): boolean {
    return this.job?.standing === 'unproven'
  }

  private interrupt(): void {
    if (this.isInterrupted) return
    this.isInterrupted = true
    this.process.interrupt()
  }

  private receive(report: Report): void {
    if (this.gone) return
    if (report.type === 'ready') {
      clearTimeout(this.timer)
      this.ready = true
      this.starting.resolve(true)
      return
    }
    if (report.type === 'bloated') {
      if (this.isIdle) this.abandon()
      return
    }
    const { job } = this
    if (!job || report.id !== this.orders) return
    if (report.type === 'phase') this.beginPhase(report.threadTime)
    else this.complete(job, report)
  }

  private complete(job: Job, report: Exclude<Report, { type: 'ready' | 'phase' | 'bloated' }>): void {
    clearTimeout(this.timer)
    if (report.type === 'missing') this.forget(job, report.snapshot)
    if (report.type === 'starved') this.finish(this.yielded ?? report)
    else if ('bloated' in report && report.bloated) this.abandon(report)
    else this.finish(report)
  }

  private forget(job: Job, snapshot: boolean): void {
    if (job.type !== 'render') return
    if (snapshot) this.snapshots.delete(job.request.space)
    this.bodies.delete(job.request.page.id)
  }

  private finish(ending: Ending): void {
    this.job = undefined
    this.settle(ending)
  }

  /** Kills the process. */
  private abandon(ending?: Ending): void {
    this.process.kill()
    this.end(null, ending)
  }

  private lose(cause: LossCause): void {
    if (this.gone) return
    clearTimeout(this.timer)
    if (this.job) this.end(null, { type: 'lost', cause })
    else this.end(cause)
  }

  /** The process takes no more jobs. Whoever replaces it learns this before whoever waits for the job. */
  private end(cause: LossCause | null, ending?: Ending): void {
    this.gone = true
    this.starting.resolve(false)
    this.ending.resolve(cause)
    if (ending) this.finish(ending)
  }
}
