import { hash } from 'node:crypto'
import { RendererBusyError } from '../busy.ts'
import { scanReferences } from '../engine/references.ts'
import type { RenderOutcome, TemplateAnalysis } from '../messages.ts'
import type { RenderRequest } from '../request.ts'
import type { TemplateError } from '../template-error.ts'
import { lostError, outOfMemoryError, overrunError } from './failures.ts'
import type { Job, RenderJob } from './job.ts'
import { JobQueue } from './queue.ts'
import { SnapshotReader } from './snapshot-reader.ts'
import { Strikes } from './strikes.ts'
import { Team } from './team.ts'
import type { Worker } from './worker.ts'

/** Where the pool tells what an operator may want to know. */
export interface PoolLog {
  warn(details: object, message: string): void
}

/** Jobs that may be open at a time: waiting for a child or for their space to be read, or under way. */
const OPEN = 1000

/** How long a job may wait for a child, in ms. */
const WAIT_MS = 10_000

/** An evaluation that takes longer than this, in ms, is remembered even if it ends well. */
const SLOW_MS = 125

/** Children that a job may take with it before it is given up. */
const LOSSES = 2

/** Hands pages and bodies to children and sees to it that every one of them is answered. */
export class Pool {
  private readonly queue = new JobQueue()
  private readonly strikes = new Strikes()
  private readonly reader = new SnapshotReader()
  private readonly team: Team
  private readonly log: PoolLog | undefined
  private open = 0
  private closed = false

  constructor({ processes, log }: { processes: number; log?: PoolLog }) {
    this.log = log
    this.team = new Team(Math.max(1, processes), {
      onFree: () => this.assign(),
      onDone: (job, took, outcome) => this.done(job, took, outcome),
      onLack: job => this.again(job),
      onOverrun: job => this.overran(job),
      onLost: (job, aborted) => this.lost(job, aborted),
      onTrouble: details => this.log?.warn(details, 'an evaluating process ended unexpectedly'),
    })
  }

  render(request: RenderRequest): Promise<RenderOutcome> {
    const key = hash('sha256', request.page.html, 'base64')
    return this.submit<RenderOutcome>(settle => ({
      type: 'render',
      request,
      hash: key,
      confined: false,
      snapshot: undefined,
      losses: 0,
      ...settle,
    }))
  }

  analyse(html: string): Promise<TemplateAnalysis> {
    return this.submit<TemplateAnalysis>(settle => ({
      type: 'analyse',
      html,
      confined: false,
      losses: 0,
      ...settle,
    }))
  }

  async stop(): Promise<void> {
    this.closed = true
    for (const job of this.queue.takeAll()) job.reject(new RendererBusyError('The service is stopping.'))
    for (const job of this.team.jobs()) job.reject(new RendererBusyError('The service is stopping.'))
    await this.team.stop()
  }

  private async submit<Result>(
    jobFor: (settle: { resolve(result: Result): void; reject(error: Error): void }) => Job,
  ): Promise<Result> {
    if (this.closed) throw new RendererBusyError('The service is stopping.')
    if (this.open >= OPEN) throw new RendererBusyError()
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    const job = jobFor({ resolve, reject })
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

  /** Gives waiting jobs to free children: ordinary ones first, and never more than one confined at a time. */
  private assign(): void {
    while (this.queue.waitingOrdinary > 0 && this.team.hasFree()) {
      const job = this.queue.takeOrdinary()!
      // Asked only now: the page may have been cut off while this reader of it was waiting.
      if (job.type === 'render' && this.strikes.isConfined(job.request.space, job.hash)) this.confine(job)
      else this.begin(job)
    }
    if (this.queue.waitingConfined > 0 && this.team.hasFree() && !this.isConfinedRunning()) {
      this.begin(this.queue.takeConfined()!)
    }
  }

  /** A page that was cut off lately waits in a line of its own; if that is taken, its reader is told how it ended. */
  private confine(job: RenderJob & Job): void {
    const { space, revision } = job.request
    const taken = this.queue.waitingConfined > 0 || this.isConfinedRunning()
    const error = taken ? this.strikes.lastError(space, job.hash, revision) : undefined
    job.confined = true
    if (error) job.resolve({ ok: false, error })
    else if (this.queue.hasRoomForConfined) this.queue.add(job)
    else job.reject(new RendererBusyError())
  }

  private isConfinedRunning(): boolean {
    return this.team.jobs().some(job => job.confined)
  }

  private begin(job: Job): void {
    const worker = this.team.free(job)
    if (!worker || !this.isReadyFor(worker, job)) return
    worker.start(job)
  }

  /** Whether the job can start on `worker`; if the space has to be read first, it starts after that. */
  private isReadyFor(worker: Worker, job: Job): boolean {
    if (job.type === 'analyse' || job.snapshot !== undefined) return true
    if (worker.snapshots.has(job.request.space, job.request.revision)) return true
    void this.readSnapshot(job)
    return false
  }

  private async readSnapshot(job: RenderJob & Job): Promise<void> {
    try {
      job.snapshot = await this.reader.read(job.request)
      this.again(job)
    } catch (error) {
      job.reject(error instanceof Error ? error : new Error('the space could not be read', { cause: error }))
    }
  }

  /** A job that waited already comes first. */
  private again(job: Job): void {
    if (this.closed) job.reject(new RendererBusyError('The service is stopping.'))
    else {
      this.queue.putBack(job)
      this.assign()
    }
  }

  /** Remembers a page that took a child for long, or with it. */
  private remember(job: Job, error: TemplateError | undefined): void {
    if (job.type !== 'render') return
    this.strikes.add(job.request.space, job.hash, job.request.revision, error)
  }

  private done(job: Job, took: number, outcome: RenderOutcome | undefined): void {
    const error = outcome?.ok === false && outcome.error.kind === 'timeout' ? outcome.error : undefined
    if (error || took > SLOW_MS) this.remember(job, error)
  }

  private overran(job: Job): void {
    this.log?.warn(subject(job), 'a template had to be stopped by ending its process')
    this.fail(job, overrunError)
  }

  private lost(job: Job, aborted: boolean): void {
    job.losses += 1
    this.log?.warn({ ...subject(job), aborted, losses: job.losses }, 'a process ended while evaluating')
    if (aborted) this.fail(job, outOfMemoryError)
    else if (job.losses < LOSSES) this.again(job)
    else this.fail(job, lostError)
  }

  /** Answers a job whose child did not. */
  private fail(job: Job, errorFor: typeof overrunError): void {
    if (job.type === 'analyse') {
      job.resolve({ references: scanReferences(job.html), parses: false })
      return
    }
    const error = errorFor(job.request.page.slug)
    this.remember(job, error)
    job.resolve({ ok: false, error })
  }
}

function subject(job: Job): object {
  return job.type === 'render' ? { space: job.request.space, page: job.request.page.id } : { analysis: true }
}
