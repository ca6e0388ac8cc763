import { type Json, type JsonType, typeOf } from './json.ts'

/** An array element that differs from most others in its array. */
export interface ShapeWarning {
  /** JSON Pointer of the element. */
  path: string
  kind: 'missing_keys' | 'extra_keys' | 'type_mismatch'
  message: string
}

const MAX_WARNINGS = 100

/**
 * Only the most frequent shapes of an array are compared, at most this many. Without this limit, comparing an array
 * would take more than linear time.
 */
const MAX_CANDIDATES = 32

/** How messages name a single value of each type. */
const ONE: Record<JsonType, string> = {
  null: 'null',
  boolean: 'true or false',
  number: 'a number',
  string: 'text',
  array: 'an array',
  object: 'an object',
}
const MANY: Record<JsonType, string> = { ...ONE, number: 'numbers', array: 'arrays', object: 'objects' }

/** An element's type, and for an object the types of its members by key. */
interface Shape {
  type: JsonType
  members: Map<string, JsonType>
  /** The element's type and keys as one string, so that they can be compared. */
  keySet: string
}

/** Returns the array elements that differ from most others in their array, in document order, at most 100. */
export const shapeWarnings = (value: Json): ShapeWarning[] => {
  const warnings: ShapeWarning[] = []
  visit(value, '', warnings)
  return warnings.slice(0, MAX_WARNINGS)
}

const visit = (value: Json, path: string, warnings: ShapeWarning[]) => {
  if (typeof value !== 'object' || value === null || warnings.length >= MAX_WARNINGS) return
  if (Array.isArray(value)) compareElements(value, path, warnings)
  for (const [key, member] of Object.entries(value)) visit(member, `${path}/${escapeKey(key)}`, warnings)
}

/** Escapes a key for a JSON Pointer (RFC 6901). */
const escapeKey = (key: string) => key.replaceAll('~', '~0').replaceAll('/', '~1')

const compareElements = (elements: Json[], path: string, warnings: ShapeWarning[]) => {
  const shapes = elements.map(shapeOf)
  const common = commonShape(shapes)
  if (!common) return
  for (const [index, shape] of shapes.entries()) {
    if (warnings.length >= MAX_WARNINGS) return
    warnings.push(...differences(shape, common).map(found => ({ path: `${path}/${index}`, ...found })))
  }
}

const shapeOf = (value: Json): Shape => {
  const type = typeOf(value)
  const members =
    type === 'object'
      ? Object.entries(value as object).map(([key, member]) => [key, typeOf(member)] as const)
      : []
  const keys = members.map(([key]) => key).sort()
  return { type, members: new Map(members), keySet: `${type}${JSON.stringify(keys)}` }
}

/** Returns the most frequent shape, or the first of equally frequent ones. A null member matches any type. */
const commonShape = (shapes: Shape[]): Shape | undefined => {
  const groups = [...Map.groupBy(shapes, signature).values()]
  if (groups.length < 2) return undefined
  const byKeySet = Map.groupBy(shapes, ({ keySet }) => keySet)
  const typesOf = new Map<string, Map<string, JsonType>>()
  const candidates = groups
    .toSorted((a, b) => b.length - a.length)
    .slice(0, MAX_CANDIDATES)
    .map(([shape]) => {
      const { keySet } = shape!
      if (!typesOf.has(keySet)) typesOf.set(keySet, commonTypes(byKeySet.get(keySet)!))
      return withoutNulls(shape!, typesOf.get(keySet)!)
    })
  let best: { shape: Shape; votes: number; firstIndex: number } | undefined
  for (const shape of candidates) {
    const votes = groups.reduce((sum, group) => (fits(group[0]!, shape) ? sum + group.length : sum), 0)
    const firstIndex = groups.findIndex(group => fits(group[0]!, shape))
    if (!best || votes > best.votes || (votes === best.votes && firstIndex < best.firstIndex))
      best = { shape, votes, firstIndex }
  }
  return best?.shape
}

const signature = ({ keySet, members }: Shape) => {
  const keys = [...members.keys()].sort()
  return `${keySet}${keys.map(key => members.get(key)).join()}`
}

/** Returns the most frequent type of each member, ignoring nulls, among shapes with the same keys. */
const commonTypes = (shapes: Shape[]): Map<string, JsonType> => {
  const common = new Map<string, JsonType>()
  for (const key of shapes[0]!.members.keys()) {
    const counts = new Map<JsonType, number>()
    for (const { members } of shapes) {
      const type = members.get(key)!
      if (type !== 'null') counts.set(type, (counts.get(type) ?? 0) + 1)
    }
    const [most] = [...counts].toSorted(([, a], [, b]) => b - a)
    if (most) common.set(key, most[0])
  }
  return common
}

/** Replaces the types of null members with the most frequent types. */
const withoutNulls = (shape: Shape, common: Map<string, JsonType>): Shape => {
  const members = [...shape.members].map(
    ([key, type]) => [key, type === 'null' ? (common.get(key) ?? type) : type] as const,
  )
  return { ...shape, members: new Map(members) }
}

const fits = (shape: Shape, common: Shape) => {
  if (shape.keySet !== common.keySet) return false
  for (const [key, expected] of common.members)
    if (!areCompatible(shape.members.get(key)!, expected)) return false
  return true
}

const areCompatible = (found: JsonType, expected: JsonType) =>
  found === expected || found === 'null' || expected === 'null'

/** Returns the keys that both shapes have with incompatible types. */
const mismatches = (shape: Shape, common: Shape): string[] =>
  [...common.members].flatMap(([key, expected]) => {
    const found = shape.members.get(key)
    return found === undefined || areCompatible(found, expected) ? [] : [key]
  })

const differences = (shape: Shape, common: Shape): Omit<ShapeWarning, 'path'>[] => {
  if (shape.type !== common.type)
    return [
      { kind: 'type_mismatch', message: `is ${ONE[shape.type]}; most elements are ${MANY[common.type]}` },
    ]
  const missing = [...common.members.keys()].filter(key => !shape.members.has(key))
  const extra = [...shape.members.keys()].filter(key => !common.members.has(key))
  return [
    ...(missing.length > 0
      ? [{ kind: 'missing_keys' as const, message: `lacks ${list(missing)}, which most elements have` }]
      : []),
    ...(extra.length > 0
      ? [{ kind: 'extra_keys' as const, message: `has ${list(extra)}, which most elements lack` }]
      : []),
    ...mismatches(shape, common).map(key => ({
      kind: 'type_mismatch' as const,
      message: `${list([key])} is ${ONE[shape.members.get(key)!]} here; in most elements it is ${ONE[common.members.get(key)!]}`,
    })),
  ]
}

/** Formats keys for a message; truncates long lists and long keys. */
const list = (keys: string[]) =>
  keys
    .slice(0, 5)
    .map(key => JSON.stringify(key.length > 60 ? `${key.slice(0, 60)}…` : key))
    .join(', ') + (keys.length > 5 ? ` and ${keys.length - 5} more` : '')
