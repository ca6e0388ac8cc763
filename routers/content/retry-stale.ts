import { Problem } from '../api/problem.ts'

/** Maximum number of attempts at an edit while others change the same item. */
const ATTEMPTS = 3

/** Thrown when an item was changed between reading and writing it. */
export class StaleError extends Error {}

const conflict = () =>
  new Problem('version_conflict', { detail: 'Others keep changing this item. Try again.' })

/**
 * Runs an edit, and repeats it if someone else changes the item at the same time.
 *
 * @param problem what to throw after the last attempt
 */
export const retryStale = async <Result>(
  edit: () => Promise<Result>,
  problem: () => Problem = conflict,
): Promise<Result> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await edit()
    } catch (error) {
      if (!(error instanceof StaleError)) throw error
      if (attempt === ATTEMPTS) throw problem()
    }
  }
}
