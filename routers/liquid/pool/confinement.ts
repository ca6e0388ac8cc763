import type { Job } from './job.ts'
import type { Team } from './team.ts'

/** After each job the next waits for so many times as long as that one took. */
const PAUSE = 1

/** How long the process is kept without work, in ms. */
const KEPT_MS = 20_000

/**
 * Where pages are evaluated that were cut off lately: in a process of their own, which is only there while such pages
 * are opened, and which takes second place to everything else on the machine.
 */
export class Confinement {
  private readonly launch: () => Team
  private readonly onTurn: () => void
  private team: Team | undefined
  private pause: NodeJS.Timeout | undefined
  private leaving: NodeJS.Timeout | undefined

  /**
   * @param launch starts the process
   * @param onTurn called when a pause is over
   */
  constructor(launch: () => Team, onTurn: () => void) {
    this.launch = launch
    this.onTurn = onTurn
  }

  /** Whether a job could begin right now. */
  isFree(): boolean {
    return this.pause === undefined && this.team?.hasFree() === true
  }

  /** To be called when somebody waits: starts the process if it is not there. */
  summon(): Team {
    this.team ??= this.launch()
    clearTimeout(this.leaving)
    this.leaving = setTimeout(() => void this.dismiss(), KEPT_MS).unref()
    return this.team
  }

  /** A job has ended here. */
  ended({ begun }: Job): void {
    clearTimeout(this.pause)
    this.pause = setTimeout(
      () => {
        this.pause = undefined
        this.onTurn()
      },
      (performance.now() - begun) * PAUSE,
    )
  }

  jobs(): Job[] {
    return this.team?.jobs() ?? []
  }

  async stop(): Promise<void> {
    clearTimeout(this.pause)
    await this.dismiss()
  }

  private async dismiss(): Promise<void> {
    clearTimeout(this.leaving)
    const { team } = this
    this.team = undefined
    await team?.stop()
  }
}
