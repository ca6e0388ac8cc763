/** The open views that would lose something if they were left; one entry for each guard. */
const atRisk = new Set<symbol>()

/** Whether an open view would lose something if it were left. */
export const isLeavingGuarded = (): boolean => atRisk.size > 0

/** Adds an open view that would lose something. @returns a function that removes it */
export const guardLeaving = (): (() => void) => {
  const guard = Symbol()
  atRisk.add(guard)
  return () => void atRisk.delete(guard)
}
