import { setTimeout as sleep } from 'node:timers/promises'

/** Minimum time in ms between two rounds of events of a stream, so that many writes make few events. */
const PAUSE = 200

/** What has happened to the spaces of a stream since its last events. */
export class News {
  #changed = new Set<string>()
  #people = new Set<string>()
  #isEnded = false
  #arrived = Promise.withResolvers<void>()
  #nextAt = 0

  /** The content of a space has changed. */
  readonly onChange = (spaceId: string): void => {
    this.#changed.add(spaceId)
    this.#arrived.resolve()
  }

  /** People have opened or closed a space. */
  readonly onPeople = (spaceId: string): void => {
    this.#people.add(spaceId)
    this.#arrived.resolve()
  }

  /** The stream must end. */
  readonly onEnd = (): void => {
    this.#isEnded = true
    this.#arrived.resolve()
  }

  /**
   * Waits for news.
   *
   * @returns the ids of the spaces whose content has changed, and of those that people have opened or closed; null if
   * the stream must end
   */
  async next(): Promise<{ changed: Set<string>; people: Set<string> } | null> {
    await this.#arrived.promise
    const pause = this.#nextAt - performance.now()
    if (pause > 0 && !this.#isEnded) await sleep(pause, undefined, { ref: false })
    if (this.#isEnded) return null
    this.#nextAt = performance.now() + PAUSE
    const taken = { changed: this.#changed, people: this.#people }
    this.#changed = new Set()
    this.#people = new Set()
    this.#arrived = Promise.withResolvers()
    return taken
  }
}
