import type { Job } from './job.ts'
import { Turns } from './turns.ts'

/** Confined jobs that may wait. */
const CONFINED = 16

/** Jobs that wait, in a line for each standing. */
export class JobQueue {
  private readonly lines: Record<Job['standing'], Turns> = {
    quick: new Turns(),
    unproven: new Turns(),
    confined: new Turns(),
  }

  /** Whether one more confined job may wait. */
  get hasRoomForConfined(): boolean {
    return this.waiting('confined') < CONFINED
  }

  waiting(standing: Job['standing']): number {
    return this.lines[standing].size
  }

  add(job: Job): void {
    this.lines[job.standing].add(job)
  }

  /** Puts a job first that has waited already. */
  putBack(job: Job): void {
    this.lines[job.standing].putBack(job)
  }

  take(standing: Job['standing']): Job | undefined {
    return this.lines[standing].take()
  }

  remove(job: Job): boolean {
    return this.lines[job.standing].remove(job)
  }

  /** Empties all lines. */
  takeAll(): Job[] {
    const all = Object.values(this.lines).flatMap(line => line.all())
    for (const job of all) this.remove(job)
    return all
  }
}
