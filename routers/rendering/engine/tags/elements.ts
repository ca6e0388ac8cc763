import { Drop, toValue } from 'liquidjs'

/**
 * Returns the elements that a loop iterates over: a list's elements, an object's keys with their values, or a
 * string as the only element.
 */
export function elementsOf(value: unknown): unknown[] {
  const collection: unknown = toValue(value)
  if (Array.isArray(collection)) return collection
  if (typeof collection === 'string') return collection === '' ? [] : [collection]
  const isObject = typeof collection === 'object' && collection !== null && !(collection instanceof Drop)
  return isObject ? Object.entries(collection) : []
}
