import { RendererBusyError } from '../../api/renderer.ts'
import type { Job, Standing } from './job.ts'
import type { Reputation } from './reputation.ts'

/** Maximum number of waiting suspect jobs. */
const SUSPECT_LIMIT = 16

/**
 * Minimum pause between two long jobs while unproven jobs are waiting, in ms. {@link Standing} explains these kinds of
 * jobs. If long jobs of several accounts are waiting, the pause is divided by the number of these accounts.
 */
const LONG_INTERVAL_MS = 2_000

/** The workers, as the queue sees them. */
export interface BusyWorkers {
  /** The jobs that workers are running. */
  jobs(): Job[]
  /** How many workers may take jobs that are not known to be quick. */
  unprovenLimit(): number
  /** Whether running jobs can be interrupted. If so, `unproven` jobs ({@link Standing}) can yield to other jobs. */
  canInterrupt: boolean
}

/** Jobs that wait for a worker, in one fair queue for each {@link Standing}. */
export class JobQueue {
  private readonly queues: Record<Standing, FairQueue> = {
    quick: new FairQueue(),
    unproven: new FairQueue(),
    long: new FairQueue(),
    suspect: new FairQueue(),
  }
  private readonly reputation: Reputation
  private readonly workers: BusyWorkers
  private readonly reading = new Set<Job>()
  /** When the current long job was taken; undefined while none runs. */
  private longTakenAt: number | undefined
  /** When the next long job is due. */
  private longDueAt = 0

  constructor(reputation: Reputation, workers: BusyWorkers) {
    this.reputation = reputation
    this.workers = workers
  }

  /**
   * Adds a job. If a suspect job would have to wait, or if the page of a suspect job has just failed again, the job is
   * not queued. Instead, the job is resolved at once with the last error of the page.
   */
  add(job: Job): void {
    if (job.type === 'analyze' || job.standing !== 'suspect') {
      if (job.standing === 'long' && this.queues.long.size === 0) this.delayLong(LONG_INTERVAL_MS)
      this.queues[job.standing].add(job)
      return
    }
    const { request } = job
    const waits = this.queues.suspect.size > 0 || this.isRunning('suspect')
    const error = waits ? this.reputation.lastError(request) : this.reputation.errorWhileResting(request)
    if (error) job.resolve({ ok: false, error })
    else if (this.queues.suspect.size < SUSPECT_LIMIT) this.queues.suspect.add(job)
    else job.reject(new RendererBusyError())
  }

  /**
   * Makes room for a job of an account: rejects the newest waiting job of the account with the most waiting jobs.
   *
   * @returns whether there is room; false if no account has more waiting jobs than this one
   */
  makeRoomFor(account: string): boolean {
    const queues = Object.values(this.queues)
    const counts = new Map<string, number>()
    for (const queue of queues) queue.count(counts)
    const [largest, most] = [...counts].reduce(
      (one, other) => (other[1] > one[1] ? other : one),
      [account, 0],
    )
    if (most <= (counts.get(account) ?? 0)) return false
    // The kinds of jobs that run last go first.
    const job = queues
      .toReversed()
      .map(queue => queue.newest(largest))
      .find(one => one !== undefined)
    if (job && this.remove(job)) job.reject(new RendererBusyError())
    return job !== undefined
  }

  /** Number of waiting jobs. */
  get size(): number {
    return Object.values(this.queues).reduce((sum, queue) => sum + queue.size, 0)
  }

  /**
   * Whether a running job should be interrupted for waiting jobs.
   *
   * @param isLong whether the job has run longer than `FIRST_TURN_MS`
   */
  shouldYield(job: Job, isLong: boolean): boolean {
    const { quick, unproven } = this.queues
    const isSteady = job.type === 'render' && this.reputation.isSteady(job.request)
    return (isLong && !isSteady && unproven.size > 0) || (job.borrows && quick.size > 0)
  }

  /** Records that a job was taken from the queue and will be put back as soon as its space or body has been read. */
  beginReading(job: Job): void {
    this.reading.add(job)
  }

  /** Number of jobs whose space or body is being read. */
  get reads(): number {
    return this.reading.size
  }

  endReading(job: Job): void {
    this.reading.delete(job)
  }

  /** After a job was taken, puts it at the front of its queue again. */
  putBack(job: Job): void {
    this.queues[job.standing].putBack(job)
  }

  /** Takes the next job for a free worker. */
  take(): Job | undefined {
    for (let job = this.next(); job; job = this.next()) {
      // The job's standing may have changed while the job was waiting. For example, another evaluation of the same page
      // may have been cut off.
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
   * Takes the next job. Quick jobs come first, then unproven and long jobs, and suspect jobs last.
   *
   * But if there are several workers, one of them takes unproven and long jobs before quick jobs, and another one is
   * reserved for quick jobs. While all other workers are busy, an unproven job may borrow the reserved worker, because
   * the unproven job yields to quick jobs.
   */
  private next(): Job | undefined {
    const { queues, workers } = this
    // A job that borrows the reserved worker does not count towards the limit. If it did, such jobs could use up the
    // limit all the time, and no long job would ever start.
    const others = workers.jobs().filter(({ standing, borrows }) => standing !== 'quick' && !borrows).length
    const limit = workers.unprovenLimit()
    const isAllowed = others < limit
    const mayBorrow = limit > 0 && workers.canInterrupt
    const takeOther = () => {
      const job = isAllowed ? this.takeUnprovenOrLong() : mayBorrow ? queues.unproven.take() : undefined
      if (job) job.borrows = !isAllowed
      return job
    }
    const first = others === 0 ? takeOther() : undefined
    const usual = first ?? queues.quick.take() ?? takeOther()
    if (usual || !isAllowed || this.reading.size > 0 || this.isRunning('suspect')) return usual
    const suspect = queues.suspect.take()
    if (suspect) suspect.borrows = false
    return suspect
  }

  private takeUnprovenOrLong(): Job | undefined {
    const { unproven, long } = this.queues
    const job = this.isLongDue() ? (long.take() ?? unproven.take()) : unproven.take()
    // If the service is reading data for another job, don't start a long job. The other job returns to the queue in a
    // moment, and needs this worker.
    const next = job ?? (this.reading.size === 0 ? long.take() : undefined)
    if (next?.standing === 'long') this.longTakenAt = performance.now()
    return next
  }

  /**
   * Whether it is a long job's turn, even if unproven jobs are waiting.
   *
   * After a long job, the unproven jobs get some time before the next long job:
   *
   * - Usually, they get as much time as the long job took.
   * - If more accounts have waiting long jobs than waiting unproven jobs, the unproven jobs get less time.
   * - The time never falls below a minimum. If many accounts have waiting long jobs, this minimum is shorter.
   *
   * If the time were not shortened, some long jobs would wait too long and be rejected.
   */
  private isLongDue(): boolean {
    if (this.isRunning('long')) return false
    const now = performance.now()
    if (this.longTakenAt !== undefined) {
      const accounts = Math.max(1, this.queues.long.accounts)
      const share = Math.min(1, this.queues.unproven.accounts / accounts)
      this.delayLong(Math.max((now - this.longTakenAt) * share, LONG_INTERVAL_MS / accounts))
      this.longTakenAt = undefined
    }
    return now >= this.longDueAt
  }

  private delayLong(milliseconds: number): void {
    this.longDueAt = performance.now() + milliseconds
  }

  private isRunning(standing: Standing): boolean {
    return this.workers.jobs().some(job => job.standing === standing)
  }

  private standingOf(job: Job): Standing {
    if (job.type === 'analyze' || job.standing === 'suspect') return job.standing
    const standing = this.reputation.standingOf(job.request)
    return standing === 'unproven' && job.standing === 'long' ? 'long' : standing
  }
}

/**
 * Round robin over accounts, so that nobody waits for all the jobs of another account, however many spaces that account
 * has.
 */
class FairQueue {
  /** Waiting jobs by account, in the order of the accounts' turns. */
  private lanes = new Map<string, Job[]>()
  private jobs = 0

  get size(): number {
    return this.jobs
  }

  /** Adds the numbers of waiting jobs to those of each account. */
  count(counts: Map<string, number>): void {
    for (const [account, { length }] of this.lanes) counts.set(account, (counts.get(account) ?? 0) + length)
  }

  /** The job of an account that would run last. */
  newest(account: string): Job | undefined {
    return this.lanes.get(account)?.at(-1)
  }

  /** Number of accounts with waiting jobs. */
  get accounts(): number {
    return this.lanes.size
  }

  add(job: Job): void {
    const lane = this.lanes.get(job.account)
    if (lane) lane.push(job)
    else this.lanes.set(job.account, [job])
    this.jobs += 1
  }

  /**
   * Adds a job that has waited before. It is the next one of its account, and if the account has no other waiting jobs,
   * the next turn is the account’s.
   */
  putBack(job: Job): void {
    const lane = this.lanes.get(job.account)
    if (lane) lane.unshift(job)
    else this.lanes = new Map([[job.account, [job]], ...this.lanes])
    this.jobs += 1
  }

  take(): Job | undefined {
    const [next] = this.lanes.values().next().value ?? []
    if (!next) return undefined
    this.remove(next)
    const { account } = next
    const lane = this.lanes.get(account)
    if (lane) {
      // Move the account to the end of the order.
      this.lanes.delete(account)
      this.lanes.set(account, lane)
    }
    return next
  }

  remove(job: Job): boolean {
    const lane = this.lanes.get(job.account) ?? []
    const isRemoved = removeFrom(lane, job)
    if (isRemoved) this.jobs -= 1
    if (lane.length === 0) this.lanes.delete(job.account)
    return isRemoved
  }

  all(): Job[] {
    return [...this.lanes.values()].flat()
  }
}

function removeFrom(list: Job[], job: Job): boolean {
  const index = list.indexOf(job)
  if (index !== -1) list.splice(index, 1)
  return index !== -1
}
