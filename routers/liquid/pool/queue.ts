import type { Job } from './job.ts'

/** Jobs that may wait, and of these confined ones. */
const WAITING = 1000
const CONFINED = 16

/** Jobs in order of arrival. Those of pages that were cut off lately stand in a short line of their own. */
export class JobQueue {
  private ordinary: Job[] = []
  private confined: Job[] = []

  get length(): number {
    return this.ordinary.length + this.confined.length
  }

  /** Whether there is room for one more. */
  hasRoom(confined: boolean): boolean {
    return confined ? this.confined.length < CONFINED : this.ordinary.length < WAITING
  }

  get waitingConfined(): number {
    return this.confined.length
  }

  get waitingOrdinary(): number {
    return this.ordinary.length
  }

  add(job: Job): void {
    this.lineOf(job).push(job)
  }

  /** Puts a job first that has waited already. */
  putBack(job: Job): void {
    this.lineOf(job).unshift(job)
  }

  takeOrdinary(): Job | undefined {
    return this.ordinary.shift()
  }

  takeConfined(): Job | undefined {
    return this.confined.shift()
  }

  remove(job: Job): boolean {
    const line = this.lineOf(job)
    const at = line.indexOf(job)
    if (at !== -1) line.splice(at, 1)
    return at !== -1
  }

  takeAll(): Job[] {
    const all = [...this.ordinary, ...this.confined]
    this.ordinary = []
    this.confined = []
    return all
  }

  private lineOf(job: Job): Job[] {
    return job.confined ? this.confined : this.ordinary
  }
}
