import { hash } from 'node:crypto'
import { RendererBusyError } from '../busy.ts'
import { scanReferences } from '../engine/references.ts'
import type { RenderOutcome, TemplateAnalysis } from '../messages.ts'
import type { RenderRequest } from '../request.ts'
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

/** How long a job may wait for a child, in ms. */
const WAIT_MS = 10_000

/** Children that a job may take with it before it is given up. */
const LOSSES = 2

/** Hands pages and bodies to children and sees to it that every one of them is answered. */
export class Pool {
  private readonly queue = new JobQueue()
  private readonly strikes = new Strikes()
  private readonly reader = new SnapshotReader()
  private readonly team: Team
  private readonly log: PoolLog | undefined
  private closed = false

  constructor({ processes, log }: { processes: number; log?: PoolLog }) {
    this.log = log
    this.team = new Team(Math.max(1, processes), {
      onFree: () => this.assign(),
      onLack: job => this.again(job),
      onOverrun: job => this.overran(job),
      onLost: (job, aborted) => this.lost(job, aborted),
      onTrouble: details => this.log?.warn(details, 'an evaluating process ended unexpectedly'),
    })
  }

  async render(request: RenderRequest): Promise<RenderOutcome> {
    const { space, revision } = request
    const key = hash('sha1', request.page.html, 'base64')
    const confined = this.strikes.isConfined(space, key)
    const known = confined && this.isConfinedBusy() ? this.strikes.lastError(space, key, revision) : undefined
    if (known) return { ok: false, error: known }
    const outcome = await this.submit<RenderOutcome>(confined, settle => ({
      type: 'render',
      request,
      hash: key,
      confined,
      snapshot: undefined,
      losses: 0,
      ...settle,
    }))
    if (!outcome.ok && outcome.error.kind === 'timeout') this.strikes.add(space, key, revision, outcome.error)
    return outcome
  }

  analyse(html: string): Promise<TemplateAnalysis> {
    return this.submit<TemplateAnalysis>(false, settle => ({
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

  /** Pages that were cut off lately share one child; is it taken, or waited for? */
  private isConfinedBusy(): boolean {
    return this.queue.waitingConfined > 0 || this.team.jobs().some(job => job.confined)
  }

  private async submit<Result>(
    confined: boolean,
    jobFor: (settle: { resolve(result: Result): void; reject(error: Error): void }) => Job,
  ): Promise<Result> {
    if (this.closed) throw new RendererBusyError('The service is stopping.')
    if (!this.queue.hasRoom(confined)) throw new RendererBusyError()
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    const job = jobFor({ resolve, reject })
    this.queue.add(job)
    this.assign()
    const timer = setTimeout(() => this.queue.remove(job) && reject(new RendererBusyError()), WAIT_MS)
    try {
      return await promise
    } finally {
      clearTimeout(timer)
    }
  }

  /** Gives waiting jobs to free children: ordinary ones first, and never more than one confined at a time. */
  private assign(): void {
    while (this.queue.waitingOrdinary > 0 && this.team.hasFree()) this.begin(this.queue.takeOrdinary()!)
    if (
      this.queue.waitingConfined > 0 &&
      this.team.hasFree() &&
      !this.team.jobs().some(job => job.confined)
    ) {
      this.begin(this.queue.takeConfined()!)
    }
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

  private overran(job: Job): void {
    this.log?.warn(subject(job), 'a template had to be stopped by ending its process')
    fail(job, overrunError)
  }

  private lost(job: Job, aborted: boolean): void {
    job.losses += 1
    this.log?.warn({ ...subject(job), aborted, losses: job.losses }, 'a process ended while evaluating')
    if (aborted) fail(job, outOfMemoryError)
    else if (job.losses < LOSSES) this.again(job)
    else fail(job, lostError)
  }
}

/** Answers a job whose child did not. */
function fail(job: Job, errorFor: typeof overrunError): void {
  if (job.type === 'render') job.resolve({ ok: false, error: errorFor(job.request.page.slug) })
  else job.resolve({ references: scanReferences(job.html), parses: false })
}

function subject(job: Job): object {
  return job.type === 'render' ? { space: job.request.space, page: job.request.page.id } : { analysis: true }
}
