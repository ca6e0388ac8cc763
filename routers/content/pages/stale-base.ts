/**
 * Thrown when the stored version is not the one that the editor started from: saving would undo another person's
 * change.
 */
export class StaleBase<Theirs> extends Error {
  readonly theirs: Theirs

  constructor(theirs: Theirs) {
    super()
    this.theirs = theirs
  }
}

/** Returns a function that throws {@link StaleBase} if the stored version is not `base`. */
export const requireBase = (base: string) => (before: { updated_at: Date }) => {
  if (before.updated_at.toISOString() !== base) throw new StaleBase(before)
}
