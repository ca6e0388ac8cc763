import type { Job } from './job.ts'

/** Whose turn a job takes: its space's, or that of all bodies that are being saved. */
const laneOf = (job: Job): string => (job.type === 'render' ? job.request.space : '')

/** A line in which spaces take turns, so that a reader of one does not wait for all who wait for another. */
export class Turns {
  private readonly returned: Job[] = []
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

  /** Puts a job first that has had its turn already. */
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
      // Behind all other spaces.
      this.lanes.delete(key)
      this.lanes.set(key, lane)
    }
    return next
  }

  remove(job: Job): boolean {
    const key = laneOf(job)
    const lane = this.lanes.get(key) ?? []
    const isRemoved = dropFrom(this.returned, job) || dropFrom(lane, job)
    if (isRemoved) this.count -= 1
    if (lane.length === 0) this.lanes.delete(key)
    return isRemoved
  }

  all(): Job[] {
    return [...this.returned, ...[...this.lanes.values()].flat()]
  }
}

function dropFrom(list: Job[], job: Job): boolean {
  const at = list.indexOf(job)
  if (at !== -1) list.splice(at, 1)
  return at !== -1
}
