/** Any JSON value, as `JSON.parse` makes it. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

export type JsonType = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object'

export const typeOf = (value: Json): JsonType => {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value as JsonType
}

/**
 * Nested arrays and objects, a scalar being 0 (decision 21); stops counting past `limit`.
 * Walks without recursion: the nesting is the caller's to choose.
 */
export const depthOf = (value: unknown, limit: number): number => {
  let level: unknown[] = [value]
  for (let depth = 0; ; depth++) {
    level = level.flatMap(node => (typeof node === 'object' && node !== null ? [node] : []))
    if (level.length === 0) return depth
    if (depth >= limit) return depth + 1
    level = level.flatMap(node => Object.values(node as object))
  }
}

/** Whether a number in it is beyond a double: `JSON.parse` makes infinity of 1e400. */
export const holdsInfinity = (value: unknown): boolean => {
  const pending = [value]
  for (const node of pending) {
    if (typeof node === 'number' && !Number.isFinite(node)) return true
    if (typeof node === 'object' && node !== null)
      for (const member of Object.values(node)) pending.push(member)
  }
  return false
}
