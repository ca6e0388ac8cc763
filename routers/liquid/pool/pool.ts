import {
  RendererBusyError,
  type RenderOutcome,
  type RenderRequest,
  type TemplateAnalysis,
} from '../../core/renderer.ts'
import { scanReferences } from '../engine/references.ts'
import { Confinement } from './confinement.ts'
import { lostError, outOfMemoryError, overrunError } from './failures.ts'
import type { Job, RenderJob } from './job.ts'
import { JobQueue } from './queue.ts'
import { Reputation } from './reputation.ts'
import { SnapshotReader } from './snapshot-reader.ts'
import { Team, type TeamEvents } from './team.ts'
import { UnderWay } from './under-way.ts'
import type { Lacking } from './worker.ts'

/** Where the pool tells what an operator may want to know. */
export interface PoolLog {
  warn(details: object, message: string): void
}

/** Jobs that may be open at a time: waiting for a child or for their space to be read, or under way. */
const OPEN = 1000

/** How long a job may wait for a child, in ms. */
const WAIT_MS = 10_000

/** Children that a job may take with it before it is given up. */
const LOSSES = 2

/** Hands pages and bodies to children and sees to it that every one of them is answered. */
export class Pool {
  private readonly queue: JobQueue
  private readonly reputation = new Reputation()
  private readonly underWay = new UnderWay()
  private readonly reader = new SnapshotReader()
  private readonly team: Team
  private readonly confinement: Confinement
  private readonly log: PoolLog | undefined
  private open = 0
  private closed = false

  constructor({ processes, log }: { processes: number; log?: PoolLog }) {
    this.log = log
    const events: TeamEvents = {
      onFree: () => this.assign(),
      onDone: ({ job, evaluated }) => {
        if (job.type === 'render' && evaluated) this.reputation.evaluated(job.request, evaluated)
        this.ended(job)
      },
      onLack: job => this.again(job),
      onOverrun: job => this.overran(job),
      onLost: (job, aborted) => this.lost(job, aborted),
      onTrouble: details => this.log?.warn(details, 'an evaluating process ended unexpectedly'),
    }
    this.team = new Team(events, { size: Math.max(1, processes), reserve: 1 })
    this.confinement = new Confinement(
      () => new Team(events, { size: 1, reserve: 0, isBackground: true }),
      () => this.assign(),
    )
    this.queue = new JobQueue(this.reputation, this.team, this.confinement)
  }

  /** @param headOnly whether the document itself is not wanted; its bytes are left out then */
  render(request: RenderRequest, headOnly: boolean): Promise<RenderOutcome> {
    const error = this.reputation.certainError(request)
    if (error) return Promise.resolve({ ok: false, error })
    const same = this.underWay.find(request, headOnly)
    return same ?? this.underWay.share(request, headOnly, () => this.evaluate(request, headOnly))
  }

  private evaluate(request: RenderRequest, headOnly: boolean): Promise<RenderOutcome> {
    return this.submit<RenderOutcome>(settle => ({
      type: 'render',
      request,
      headOnly,
      standing: this.reputation.standingOf(request),
      snapshot: undefined,
      html: undefined,
      losses: 0,
      begun: 0,
      ...settle,
    }))
  }

  analyse(html: string): Promise<TemplateAnalysis> {
    return this.submit<TemplateAnalysis>(settle => ({
      type: 'analyse',
      html,
      standing: 'unproven',
      losses: 0,
      begun: 0,
      ...settle,
    }))
  }

  async stop(): Promise<void> {
    this.closed = true
    for (const job of this.queue.takeAll()) job.reject(new RendererBusyError('The service is stopping.'))
    const underWay = [...this.team.jobs(), ...this.confinement.jobs()]
    for (const job of underWay) job.reject(new RendererBusyError('The service is stopping.'))
    await Promise.all([this.team.stop(), this.confinement.stop()])
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

  /** Gives waiting jobs to free children. */
  private assign(): void {
    while (this.team.hasFree()) {
      const job = this.queue.take()
      if (!job) break
      this.begin(job, this.team)
    }
    if (this.queue.hasConfined) this.assignConfined()
  }

  private assignConfined(): void {
    const team = this.confinement.summon()
    const job = this.confinement.isFree() ? this.queue.takeConfined() : undefined
    if (job) this.begin(job, team)
  }

  private begin(job: Job, team: Team): void {
    const worker = team.free(job)
    if (!worker) return
    const lacking = job.type === 'render' ? worker.lacking(job) : null
    if (job.type === 'render' && lacking) void this.read(job, lacking)
    else worker.start(job)
  }

  /** Reads what the child lacks that was to take the job, which waits for one anew after that. */
  private async read(job: RenderJob & Job, lacking: Lacking): Promise<void> {
    try {
      if (lacking.snapshot) job.snapshot = await this.reader.read(job.request)
      if (lacking.html) job.html = await job.request.body()
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
    this.fail(job, overrunError)
  }

  private lost(job: Job, aborted: boolean): void {
    job.losses += 1
    this.log?.warn({ ...subject(job), aborted, losses: job.losses }, 'a process ended while evaluating')
    if (aborted) this.fail(job, outOfMemoryError)
    else if (job.losses < LOSSES) this.again(job)
    else this.fail(job, lostError)
  }

  private ended(job: Job): void {
    if (job.standing === 'confined') this.confinement.ended(job)
  }

  /** Answers a job whose child did not. */
  private fail(job: Job, errorFor: typeof overrunError): void {
    this.ended(job)
    if (job.type === 'analyse') {
      job.resolve({ references: scanReferences(job.html), parses: false })
      return
    }
    const error = errorFor(job.request.page.slug)
    this.reputation.failed(job.request, error)
    job.resolve({ ok: false, error })
  }
}

function subject(job: Job): object {
  return job.type === 'render' ? { space: job.request.space, page: job.request.page.id } : { analysis: true }
}
