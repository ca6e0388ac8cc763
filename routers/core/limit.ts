import { Problem } from './problem.ts'

/**
 * Refuses to create another resource when a limit is reached.
 *
 * @param isFull whether the limit is reached; read it under the lock of the owner
 * @param detail names the limit: "A space can have at most 5000 pages."
 * @throws `limit_reached`
 */
export const requireSpaceFor = (isFull: boolean, detail: string): void => {
  if (isFull) throw new Problem('limit_reached', { detail })
}
