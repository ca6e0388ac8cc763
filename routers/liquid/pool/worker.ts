import type { RenderRequest } from '../../core/renderer.ts'
import type { Evaluated, Order, Report } from '../messages.ts'
import { EvaluatingProcess } from './child-process.ts'
import type { Job, RenderJob } from './job.ts'
import { Known } from './known.ts'

/**
 * Patience with one timed piece of work, in ms. Longer than any limit that the child keeps itself (300 for parsing, 250
 * for evaluation), so that it only strikes where the child cannot stop itself.
 */
const PATIENCE_MS = 400

/**
 * How a process ends that ran out of memory or broke down over its work, as signals or as shells number them. Its job
 * is not tried again. Any other end came from outside, and the job was not to blame.
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

/** Patience with a child that is starting. */
const START_MS = 20_000

/** How a job ended. */
export interface Done {
  job: Job
  /** Of a page. */
  evaluated: Evaluated | undefined
  /** The process has grown and should be replaced. */
  bloated: boolean
}

/** What a child needs for a page and neither has nor would be given. */
export interface Lacking {
  snapshot: boolean
  html: boolean
}

/** What a worker tells the pool. */
export interface WorkerEvents {
  onReady(worker: Worker): void
  onDone(worker: Worker, done: Done): void
  /** The child is idle and has grown. */
  onBloated(worker: Worker): void
  /** The child lacks what was left out of the order; the job is not done. */
  onLack(worker: Worker, job: Job): void
  /** The job took longer than any limit and the child was killed for it. */
  onOverrun(worker: Worker, job: Job): void
  /** The child is gone; with the job it was at, if any. `aborted` when it ran out of memory. */
  onLost(worker: Worker, job: Job | undefined, aborted: boolean): void
}

/** A child with the job that it is at. */
export class Worker {
  /** Spaces, and bodies of pages, with the revision of the space at which the child has them. */
  private readonly snapshots = new Known(1024)
  private readonly bodies = new Known(1024)
  private readonly child: EvaluatingProcess
  private readonly events: WorkerEvents
  private timer: NodeJS.Timeout
  private job: Job | undefined
  private orders = 0
  private ready = false
  private gone = false

  /** @param isBackground whether the machine should do everything else first */
  constructor(isBackground: boolean, events: WorkerEvents) {
    this.events = events
    this.timer = setTimeout(() => this.child.kill(), START_MS)
    this.child = new EvaluatingProcess(isBackground, {
      onReport: report => this.hear(report),
      onExit: ({ code, signal }) => this.end(CRASHES.has(signal ?? code)),
    })
  }

  /** What a child that is gone said last. */
  get lastWords(): string {
    return this.child.lastWords
  }

  get pid(): number | undefined {
    return this.child.pid
  }

  get isReady(): boolean {
    return this.ready && !this.gone
  }

  get isIdle(): boolean {
    return this.isReady && this.job === undefined
  }

  /** The job that the child is at. */
  get current(): Job | undefined {
    return this.job
  }

  /** Whether the child has the space of a request as it is now. */
  knows({ space, revision }: RenderRequest): boolean {
    return this.snapshots.has(space, revision)
  }

  /** What has to be read before the child can do the job; null when it can. */
  lacking({ request: { space, revision, page }, snapshot, html }: RenderJob): Lacking | null {
    const lacking = {
      snapshot: snapshot === undefined && !this.snapshots.has(space, revision),
      html: html === undefined && !this.bodies.has(page.id, revision),
    }
    return lacking.snapshot || lacking.html ? lacking : null
  }

  /** Hands a job to an idle child. */
  start(job: Job): void {
    this.job = job
    job.begun = performance.now()
    this.orders += 1
    this.child.send(this.orderFor(job))
    this.wait()
  }

  /** Ends the child; nothing is reported any more. */
  async stop(): Promise<void> {
    this.gone = true
    clearTimeout(this.timer)
    this.child.kill()
    await this.child.exited
  }

  private orderFor(job: Job): Order {
    const id = this.orders
    if (job.type === 'analyse') return { type: 'analyse', id, html: job.html }
    const { request, snapshot, html, headOnly } = job
    const { space, revision, page } = request
    const order: Order = { type: 'render', id, space, revision, page, headOnly }
    if (!this.snapshots.has(space, revision) && snapshot !== undefined) order.snapshot = snapshot
    if (!this.bodies.has(page.id, revision) && html !== undefined) order.html = html
    this.snapshots.add(space, revision)
    this.bodies.add(page.id, revision)
    return order
  }

  private wait(): void {
    clearTimeout(this.timer)
    this.timer = setTimeout(() => this.losePatience(), PATIENCE_MS)
  }

  private hear(report: Report): void {
    if (this.gone) return
    if (report.type === 'ready') {
      clearTimeout(this.timer)
      this.ready = true
      this.events.onReady(this)
      return
    }
    if (report.type === 'bloated') {
      if (this.isIdle) this.events.onBloated(this)
      return
    }
    const { job } = this
    if (!job || report.id !== this.orders) return
    if (report.type === 'phase') this.wait()
    else this.conclude(job, report)
  }

  private conclude(job: Job, report: Exclude<Report, { type: 'ready' | 'phase' | 'bloated' }>): void {
    clearTimeout(this.timer)
    this.job = undefined
    if (report.type === 'lacks') {
      this.forget(job, report.snapshot)
      this.events.onLack(this, job)
      return
    }
    const evaluated = report.type === 'rendered' ? report : undefined
    if (evaluated && job.type === 'render') job.resolve(evaluated.outcome)
    if (report.type === 'analysed' && job.type === 'analyse') job.resolve(report.analysis)
    this.events.onDone(this, { job, evaluated, bloated: report.bloated })
  }

  private forget(job: Job, snapshot: boolean): void {
    if (job.type !== 'render') return
    if (snapshot) this.snapshots.delete(job.request.space)
    this.bodies.delete(job.request.page.id)
  }

  private losePatience(): void {
    const { job } = this
    if (!job || this.gone) return
    this.gone = true
    this.child.kill()
    this.events.onOverrun(this, job)
  }

  private end(aborted: boolean): void {
    if (this.gone) return
    this.gone = true
    clearTimeout(this.timer)
    this.events.onLost(this, this.job, aborted)
  }
}
