import { RendererBusyError } from '../../core/renderer.ts'
import type { Job, Standing } from './job.ts'
import type { Reputation } from './reputation.ts'

/** Maximum number of waiting suspect jobs. */
const SUSPECT_LIMIT = 16

/** The workers, as the queue sees them. */
export interface BusyWorkers {
  /** The jobs that workers are running. */
  jobs(): Job[]
  /** How many workers may take jobs that are not known to be quick. */
  unprovenLimit(): number
}

/** Jobs that wait for a worker, in one fair queue for each standing. */
export class JobQueue {
  private readonly queues: Record<Standing, FairQueue> = {
    quick: new FairQueue(),
    unproven: new FairQueue(),
    suspect: new FairQueue(),
  }
  private readonly reputation: Reputation
  private readonly workers: BusyWorkers

  constructor(reputation: Reputation, workers: BusyWorkers) {
    this.reputation = reputation
    this.workers = workers
  }

  /**
   * Adds a job. A suspect job that would have to wait, or whose page has just failed again, is resolved with the page's
   * last error instead.
   */
  add(job: Job): void {
    if (job.type === 'analyze' || job.standing !== 'suspect') {
      this.queues[job.standing].add(job)
      return
    }
    const { request } = job
    const waits = this.queues.suspect.size > 0 || this.isSuspectRunning()
    const error = waits ? this.reputation.lastError(request) : this.reputation.errorWhileResting(request)
    if (error) job.resolve({ ok: false, error })
    else if (this.queues.suspect.size < SUSPECT_LIMIT) this.queues.suspect.add(job)
    else job.reject(new RendererBusyError())
  }

  /** Number of waiting jobs. */
  get size(): number {
    return Object.values(this.queues).reduce((sum, queue) => sum + queue.size, 0)
  }

  /** Returns a job that was taken to the front of its queue. */
  putBack(job: Job): void {
    this.queues[job.standing].putBack(job)
  }

  /** Takes the next job for a free worker. */
  take(): Job | undefined {
    for (let job = this.next(); job; job = this.next()) {
      // The page may have been cut off while this job was waiting.
      const standing = this.standingOf(job)
      if (standing === job.standing) return job
      job.standing = standing
      this.add(job)
    }
    return undefined
  }

  /** Removes a job; returns whether it was waiting. */
  remove(job: Job): boolean {
    return this.queues[job.standing].remove(job)
  }

  /** Empties the queue and returns its jobs. */
  takeAll(): Job[] {
    const all = Object.values(this.queues).flatMap(queue => queue.all())
    for (const job of all) this.remove(job)
    return all
  }

  /**
   * Takes the next job. Of several workers, one is reserved for quick jobs and one for other jobs; the remaining
   * workers take any job, quick jobs first and suspect jobs last.
   */
  private next(): Job | undefined {
    const { queues } = this
    const unprovenJobs = this.workers.jobs().filter(({ standing }) => standing !== 'quick').length
    const isAllowed = unprovenJobs < this.workers.unprovenLimit()
    const takeUnproven = () => (isAllowed ? queues.unproven.take() : undefined)
    const first = unprovenJobs === 0 ? takeUnproven() : undefined
    const usual = first ?? queues.quick.take() ?? takeUnproven()
    return usual ?? (isAllowed && !this.isSuspectRunning() ? queues.suspect.take() : undefined)
  }

  private isSuspectRunning(): boolean {
    return this.workers.jobs().some(({ standing }) => standing === 'suspect')
  }

  private standingOf(job: Job): Standing {
    return job.type === 'analyze' || job.standing === 'suspect'
      ? job.standing
      : this.reputation.standingOf(job.request)
  }
}

/** Round robin over spaces, so that readers of one space do not wait for all readers of another. */
class FairQueue {
  private readonly returned: Job[] = []
  /** Waiting jobs by space. Jobs that check a body before it is saved have one entry for all spaces. */
  private readonly lanes = new Map<string, Job[]>()
  private count = 0

  get size(): number {
    return this.count
  }

  add(job: Job): void {
    const key = laneOf(job)
    const lane = this.lanes.get(key)
    if (lane) lane.push(job)
    else this.lanes.set(key, [job])
    this.count += 1
  }

  putBack(job: Job): void {
    this.returned.unshift(job)
    this.count += 1
  }

  take(): Job | undefined {
    const [next] = this.returned.length > 0 ? this.returned : (this.lanes.values().next().value ?? [])
    if (!next) return undefined
    this.remove(next)
    const key = laneOf(next)
    const lane = this.lanes.get(key)
    if (lane) {
      // Move the space to the end of the order.
      this.lanes.delete(key)
      this.lanes.set(key, lane)
    }
    return next
  }

  remove(job: Job): boolean {
    const key = laneOf(job)
    const lane = this.lanes.get(key) ?? []
    const isRemoved = removeFrom(this.returned, job) || removeFrom(lane, job)
    if (isRemoved) this.count -= 1
    if (lane.length === 0) this.lanes.delete(key)
    return isRemoved
  }

  all(): Job[] {
    return [...this.returned, ...[...this.lanes.values()].flat()]
  }
}

const laneOf = (job: Job): string => (job.type === 'render' ? job.request.space : '')

function removeFrom(list: Job[], job: Job): boolean {
  const index = list.indexOf(job)
  if (index !== -1) list.splice(index, 1)
  return index !== -1
}
