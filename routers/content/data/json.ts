/** Any JSON value, as `JSON.parse` returns it. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

export type JsonType = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object'

export const typeOf = (value: Json): JsonType => {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value as JsonType
}

/**
 * Returns the nesting depth of arrays and objects, 0 for a scalar; stops counting above `limit`. Not
 * recursive, because callers choose the nesting.
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

/** Returns the size of a value as compact JSON, in bytes. Unlike `JSON.stringify` it is not recursive. */
export const sizeOf = (value: unknown): number => {
  let size = 0
  const pending = [value]
  for (const node of pending) {
    if (typeof node !== 'object' || node === null) {
      size += Buffer.byteLength(JSON.stringify(node))
      continue
    }
    const members = Object.entries(node)
    // The two brackets, and the commas between the members.
    size += 2 + Math.max(0, members.length - 1)
    for (const [key, member] of members) {
      if (!Array.isArray(node)) size += Buffer.byteLength(JSON.stringify(key)) + 1
      pending.push(member)
    }
  }
  return size
}

/** Whether a value contains a number too large for a double: `JSON.parse` turns 1e400 into Infinity. */
export const containsInfinity = (value: unknown): boolean => {
  const pending = [value]
  for (const node of pending) {
    if (typeof node === 'number' && !Number.isFinite(node)) return true
    if (typeof node === 'object' && node !== null)
      for (const member of Object.values(node)) pending.push(member)
  }
  return false
}

/**
 * Whether a value is a string that contains a list or an object as JSON. A template reads it as plain text.
 *
 * @param json the JSON of the value
 */
export const isJsonText = (json: string): boolean => {
  const value: unknown = json.startsWith('"') ? JSON.parse(json) : undefined
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return false
  try {
    JSON.parse(value)
    return true
  } catch {
    return false
  }
}
