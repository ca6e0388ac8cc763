import {
  type PartRename,
  type RenamedBody,
  RendererBusyError,
  type RendererLoad,
  type RenderOutcome,
  type RenderRequest,
  type TemplateAnalysis,
} from '../../api/renderer.ts'
import { scanReferences } from '../engine/references.ts'
import { interruptedError, outOfMemoryError, timeoutError } from './failures.ts'
import type { Job, RenderJob } from './job.ts'
import { WorkerPool } from './pool.ts'
import { JobQueue } from './queue.ts'
import { Reputation } from './reputation.ts'
import type { Ending, LossCause, Missing, Worker } from './worker.ts'

/** The log for operators. */
export interface WorkerLog {
  warn(details: object, message: string): void
}

/**
 * Maximum number of open jobs: waiting for a worker, waiting for their space to be read, or running. Then the account
 * with the most waiting jobs loses one for each job of another account.
 */
const OPEN_LIMIT = 1000

/** Maximum number of jobs whose space or body is being read. A space has up to 2 MiB of parts and data. */
const READING_LIMIT = 24

/** How long a job may wait for a worker, in ms. On a busy machine, late pages are better than errors. */
const WAIT_MS = 20_000

/** Maximum number of attempts at a job. Applies only to failures that the job did not cause. */
const ATTEMPTS = 2

const stopping = () => new RendererBusyError('The service is stopping.')

/** What all new jobs have in common. */
type FreshJob<Result> = Pick<Job, 'borrows' | 'losses' | 'reject'> & { resolve(result: Result): void }

/** Assigns the jobs for pages and bodies to workers, and makes sure that every job gets a result. */
export class Scheduler {
  private readonly queue: JobQueue
  private readonly reputation = new Reputation()
  private readonly evaluations = new SingleFlight<RenderOutcome>()
  private readonly snapshots = new SingleFlight<string>()
  private readonly workers: WorkerPool
  private readonly log: WorkerLog | undefined
  private open = 0
  private cutOffs = 0
  private closed = false

  constructor({ processes, log }: { processes: number; log?: WorkerLog }) {
    this.log = log
    this.workers = new WorkerPool({
      size: Math.max(1, processes),
      spares: 1,
      onFree: () => this.assign(),
      onTrouble: details => this.log?.warn(details, 'a renderer process ended unexpectedly'),
    })
    this.queue = new JobQueue(this.reputation, this.workers)
  }

  /**
   * Evaluates a page. If several callers currently want the same page at the same revision, evaluates it only once.
   * @param headOnly leaves out the document's bytes. The outcome still has the bytes if another caller already waits
   *   for the whole document, because both callers then get the outcome of the same evaluation.
   */
  render(request: RenderRequest, headOnly: boolean): Promise<RenderOutcome> {
    const error = this.reputation.errorWhileResting(request)
    if (error) return Promise.resolve({ ok: false, error })
    const key = evaluationKey(request, headOnly)
    const whole = headOnly ? this.evaluations.find(evaluationKey(request, false)) : undefined
    const start = () => this.evaluations.run(key, () => this.evaluate(request, headOnly))
    const shared = whole ?? this.evaluations.find(key)
    if (!shared) return start()
    // If the shared evaluation failed because the renderer was busy, this caller gets an evaluation of its own.
    return shared.catch((error: unknown) => {
      if (error instanceof RendererBusyError && !this.closed) return start()
      throw error
    })
  }

  analyze(html: string, account: string): Promise<TemplateAnalysis> {
    return this.submit<TemplateAnalysis>(fresh => ({
      type: 'analyze',
      html,
      standing: 'unproven',
      account,
      ...fresh,
    }))
  }

  renamePart(html: string, rename: PartRename, account: string): Promise<RenamedBody> {
    return this.submit<RenamedBody>(fresh => ({
      type: 'analyze',
      html,
      rename,
      standing: 'unproven',
      account,
      ...fresh,
    }))
  }

  get load(): RendererLoad {
    return { open: this.open, waiting: this.queue.size, cutOffs: this.cutOffs }
  }

  async stop(): Promise<void> {
    this.closed = true
    for (const job of [...this.queue.takeAll(), ...this.workers.jobs()]) job.reject(stopping())
    await this.workers.stop()
  }

  private evaluate(request: RenderRequest, headOnly: boolean): Promise<RenderOutcome> {
    return this.submit<RenderOutcome>(fresh => ({
      type: 'render',
      request,
      headOnly,
      standing: this.reputation.standingOf(request),
      account: request.account,
      snapshot: undefined,
      html: undefined,
      ...fresh,
    }))
  }

  private async submit<Result>(jobFor: (fresh: FreshJob<Result>) => Job): Promise<Result> {
    if (this.closed) throw stopping()
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    const job = jobFor({ borrows: false, losses: 0, resolve, reject })
    if (this.open >= OPEN_LIMIT && !this.queue.makeRoomFor(job.account)) throw new RendererBusyError()
    this.open += 1
    this.queue.add(job)
    this.assign()
    const timer = setTimeout(() => this.queue.remove(job) && reject(new RendererBusyError()), WAIT_MS)
    try {
      return await promise
    } finally {
      clearTimeout(timer)
      this.open -= 1
    }
  }

  /** Gives waiting jobs to free workers. */
  private assign(): void {
    while (this.workers.hasFree() && this.queue.reads < READING_LIMIT) {
      const job = this.queue.take()
      const worker = job && this.workers.free(job)
      if (!worker) break
      const missing = job.type === 'render' ? worker.missing(job) : null
      if (job.type === 'render' && missing) void this.read(job, missing)
      else void this.run(worker, job)
    }
  }

  private async run(worker: Worker, job: Job): Promise<void> {
    this.conclude(job, await worker.run(job, (...run) => this.queue.shouldYield(...run)))
    this.assign()
  }

  /** Resolves or rejects a job that a worker was given, or queues it again. */
  private conclude(job: Job, ending: Ending): void {
    if (ending.type === 'rendered' && job.type === 'render') {
      job.resolve(ending.outcome)
      this.reputation.evaluated(job.request, ending)
    } else if (ending.type === 'analyzed' && job.type === 'analyze') job.resolve(ending.analysis)
    else if (ending.type === 'missing') this.requeue(job)
    else if (ending.type === 'starved') this.starved(job)
    else if (ending.type === 'yielded') this.yielded(job, ending.isLong)
    else if (ending.type === 'timeout') this.timedOut(job)
    else if (ending.type === 'lost') this.lost(job, ending.cause)
  }

  /** Reads the snapshot or body that the chosen worker does not have, then queues the job again. */
  private async read(job: RenderJob & Job, missing: Missing): Promise<void> {
    const { request } = job
    this.queue.beginReading(job)
    try {
      if (missing.snapshot)
        job.snapshot = await this.snapshots.run(snapshotKey(request), () => readSnapshot(request))
      if (missing.html) job.html = await request.body()
      this.queue.endReading(job)
      this.requeue(job)
    } catch (error) {
      this.queue.endReading(job)
      this.assign()
      job.reject(error instanceof Error ? error : new Error('the space could not be read', { cause: error }))
    }
  }

  /** Queues a job again, in front of the others, because it has waited before. */
  private requeue(job: Job): void {
    if (this.closed) job.reject(stopping())
    else {
      this.queue.putBack(job)
      this.assign()
    }
  }

  private timedOut(job: Job): void {
    this.cutOffs += 1
    this.log?.warn(describe(job), 'a renderer process was killed because its template took too long')
    this.fail(job, timeoutError)
  }

  private lost(job: Job, cause: LossCause): void {
    this.log?.warn({ ...describe(job), cause }, 'a renderer process ended during a job')
    if (cause === 'crashed') this.cutOffs += 1
    if (cause === 'crashed') this.fail(job, outOfMemoryError)
    else if (cause === 'hung') this.starved(job)
    // Retry after the pending exit events, because other processes may have ended at the same time.
    else if (this.mayRetry(job)) setImmediate(() => this.requeue(job))
    else this.fail(job, interruptedError)
  }

  /** The machine was too busy, which says nothing about the page: its reputation does not change. */
  private starved(job: Job): void {
    if (this.mayRetry(job)) this.requeue(job)
    else job.reject(new RendererBusyError('The server is too busy to evaluate this page.'))
  }

  /**
   * Queues a job again after the job was interrupted to let other jobs run. A long job goes to the end of the queue,
   * and its next run is not interrupted. Any other job goes to the front.
   */
  private yielded(job: Job, isLong: boolean): void {
    if (isLong) job.standing = 'long'
    if (this.closed) job.reject(stopping())
    else if (isLong) this.queue.add(job)
    else this.queue.putBack(job)
  }

  private mayRetry(job: Job): boolean {
    job.losses += 1
    return job.losses < ATTEMPTS
  }

  /** Resolves a job with an error when its worker returned no result. */
  private fail(job: Job, errorFor: typeof timeoutError): void {
    if (job.type === 'analyze') {
      const { html, rename } = job
      const analysis = { references: scanReferences(html), parses: false, hints: [] }
      job.resolve(rename ? { ...analysis, html } : analysis)
      return
    }
    const error = errorFor(job.request.page.slug)
    this.reputation.failed(job.request, error)
    job.resolve({ ok: false, error })
  }
}

const evaluationKey = ({ space, revision, page }: RenderRequest, headOnly: boolean) =>
  `${page.id}\n${revision}\n${headOnly}\n${space}`

const snapshotKey = ({ space, revision }: RenderRequest) => `${space}\n${revision}`

async function readSnapshot(request: RenderRequest): Promise<string> {
  const snapshot = await request.snapshot()
  return typeof snapshot === 'string' ? snapshot : JSON.stringify(snapshot)
}

function describe(job: Job): object {
  return job.type === 'render' ? { space: job.request.space, page: job.request.page.id } : { analysis: true }
}

/** Shares one run of an asynchronous task among all callers that request the same key while the task is running. */
class SingleFlight<Result> {
  private readonly running = new Map<string, Promise<Result>>()

  /** The running task for `key`, if there is one. */
  find(key: string): Promise<Result> | undefined {
    return this.running.get(key)
  }

  /** Joins the running task for `key`, or starts `task`. Rejects if the task rejects. */
  run(key: string, task: () => Promise<Result>): Promise<Result> {
    const existing = this.running.get(key)
    if (existing) return existing
    const result = task().finally(() => this.running.delete(key))
    this.running.set(key, result)
    return result
  }
}
