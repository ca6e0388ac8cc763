import { RendererBusyError } from '../../core/renderer.ts'
import type { Job, Standing } from './job.ts'
import type { Reputation } from './reputation.ts'
import { Turns } from './turns.ts'

/** Confined jobs that may wait. */
const CONFINED = 16

/** The children that confined pages are kept away from, as they are now. */
export interface AtWork {
  /** The jobs that they are at. */
  jobs(): Job[]
  /** How many of them may be at jobs which are not known to be quick. */
  doubtful(): number
}

/** Who waits for a child, and whose turn it is: a line for each standing. */
export class JobQueue {
  private readonly lines: Record<Standing, Turns> = {
    quick: new Turns(),
    unproven: new Turns(),
    confined: new Turns(),
  }
  private readonly reputation: Reputation
  private readonly team: AtWork
  private readonly confinement: { isFree(): boolean }

  constructor(reputation: Reputation, team: AtWork, confinement: { isFree(): boolean }) {
    this.reputation = reputation
    this.team = team
    this.confinement = confinement
  }

  /**
   * Puts a job in line. Whoever would have to wait for a page that was cut off lately, or that has only just failed
   * again, is told how it ended.
   */
  add(job: Job): void {
    if (job.type === 'analyse' || job.standing !== 'confined') {
      this.lines[job.standing].add(job)
      return
    }
    const { request } = job
    const waits = this.lines.confined.size > 0 || !this.confinement.isFree()
    const error = waits ? this.reputation.likelyError(request) : this.reputation.certainError(request)
    if (error) job.resolve({ ok: false, error })
    else if (this.lines.confined.size < CONFINED) this.lines.confined.add(job)
    else job.reject(new RendererBusyError())
  }

  /** Puts a job first that has waited already. */
  putBack(job: Job): void {
    this.lines[job.standing].putBack(job)
  }

  /** Takes the job out whose turn it is, now that a child is free for it. Confined ones have another. */
  take(): Job | undefined {
    for (let job = this.next(); job; job = this.next()) {
      // Asked again: the page may have been cut off while this reader of it was waiting.
      const standing = this.standingOf(job)
      if (standing === job.standing) return job
      job.standing = standing
      this.add(job)
    }
    return undefined
  }

  remove(job: Job): boolean {
    return this.lines[job.standing].remove(job)
  }

  /** Whether confined jobs are waiting. */
  get hasConfined(): boolean {
    return this.lines.confined.size > 0
  }

  takeConfined(): Job | undefined {
    return this.lines.confined.take()
  }

  /** Empties all lines. */
  takeAll(): Job[] {
    const all = Object.values(this.lines).flatMap(line => line.all())
    for (const job of all) this.remove(job)
    return all
  }

  /**
   * One child is kept for what is known to be quick, where there are several, and one for what is not; the rest is for
   * whoever comes, quick ones first.
   */
  private next(): Job | undefined {
    const { lines } = this
    const doubtful = this.team.jobs().filter(({ standing }) => standing !== 'quick').length
    const hasRoom = doubtful < this.team.doubtful()
    const unproven = () => (hasRoom ? lines.unproven.take() : undefined)
    const first = doubtful === 0 ? unproven() : undefined
    return first ?? lines.quick.take() ?? unproven()
  }

  private standingOf(job: Job): Standing {
    return job.type === 'analyse' || job.standing === 'confined'
      ? job.standing
      : this.reputation.standingOf(job.request)
  }
}
