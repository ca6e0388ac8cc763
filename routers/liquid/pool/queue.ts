import type { Job } from './job.ts'

/** Confined jobs that may wait. */
const CONFINED = 16

/** Jobs in order of arrival. Those of pages that were cut off lately stand in a short line of their own. */
export class JobQueue {
  private ordinary: Job[] = []
  private confined: Job[] = []

  /** Whether one more confined job may wait. */
  get hasRoomForConfined(): boolean {
    return this.confined.length < CONFINED
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
