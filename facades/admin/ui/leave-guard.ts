/**
 * The active guards. Each belongs to an open view that would lose data, such as unsaved changes, if the person left it.
 */
const atRisk = new Set<symbol>()

/** Whether an open view would lose data if the person left it. */
export const isLeavingGuarded = (): boolean => atRisk.size > 0

/** Adds a guard for an open view. @returns a function that removes the guard */
export const guardLeaving = (): (() => void) => {
  const guard = Symbol()
  atRisk.add(guard)
  return () => void atRisk.delete(guard)
}
