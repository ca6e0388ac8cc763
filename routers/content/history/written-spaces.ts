/**
 * When a space is due for trimming: after this many writes, or this many ms after the first of them. Trimming
 * takes as long as several writes, so it is not done after each write. Until it is done, changes may be kept
 * longer than the configured number of days, and the history may exceed its size limit by what these writes add.
 */
export const DUE = { writes: 50, after: 10 * 60_000 }

/** The spaces that were written to since their histories were last trimmed. */
export class WrittenSpaces {
  readonly #written = new Map<string, { writes: number; since: number }>()
  readonly #erased = new Set<string>()

  /** Counts a write. @param now the current time of a monotonic clock, in ms */
  note(spaceId: string, now = performance.now()): void {
    const noted = this.#written.get(spaceId)
    if (noted) noted.writes += 1
    else this.#written.set(spaceId, { writes: 1, since: now })
  }

  /** Records that changes in the history of a space were erased, so that the next `takeDue` returns the space. */
  noteErasure(spaceId: string): void {
    this.#erased.add(spaceId)
  }

  /**
   * Removes and returns the spaces that are due for trimming. `due` contains all of these spaces. `erased` contains
   * only the spaces where changes were erased from the history.
   */
  takeDue(now = performance.now()): { due: Set<string>; erased: Set<string> } {
    const erased = new Set(this.#erased)
    this.#erased.clear()
    const due = new Set(erased)
    for (const [spaceId, { writes, since }] of this.#written)
      if (writes >= DUE.writes || now - since >= DUE.after) due.add(spaceId)
    for (const spaceId of due) this.#written.delete(spaceId)
    return { due, erased }
  }
}
