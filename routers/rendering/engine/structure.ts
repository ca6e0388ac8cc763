import { Drop } from 'liquidjs'
import type { Budget } from './budget.ts'

/** Returns a list or object as JSON. A value that occurs many times uses up budget each time. */
export function structureOf(value: unknown, budget: Budget, indent = 0): string {
  return JSON.stringify(
    value,
    (key, inner: unknown) => {
      budget.use(key.length + 1 + (typeof inner === 'string' ? inner.length : 0))
      return inner instanceof Drop && !('toJSON' in inner) ? {} : inner
    },
    indent,
  )
}
