import { elementOf, forloop, membersOf, type Shape, variablesOf } from './shapes.ts'
import type { Vocabulary } from './vocabulary.ts'

/** Names that a body gives to values, in its order: loops and assignments. */
const NAMINGS =
  /\{%-?\s*(?:(for)\s+(\w+)\s+in\s+([\w.[\]"'-]+)|assign\s+(\w+)\s*=\s*([\w.[\]"'-]+)|capture\s+(\w+))/g

/** Steps of a path: `.name`, `["name"]`, `[0]`. */
const STEPS = /\.([\w-]+)|\[\s*(?:"([^"]*)"|'([^']*)'|(-?\d+))\s*\]/g

/** What is known of the value at a path such as `data.events[0].title`; undefined when nothing is. */
export const shapeAt = (path: string, scope: ReadonlyMap<string, Shape | undefined>): Shape | undefined => {
  const [first = ''] = /^\w+/.exec(path) ?? []
  let shape = scope.get(first)
  for (const [, dotted, double, single, index] of path.slice(first.length).matchAll(STEPS)) {
    if (!shape) return undefined
    const name = dotted ?? double ?? single
    shape = name === undefined && index !== undefined ? elementOf(shape) : membersOf(shape).get(name ?? '')
  }
  return shape
}

/**
 * Every name that can be used at the end of a text, with what is known of its value. Where a loop ends is not looked
 * for: a name too many does no harm.
 */
export const scopeOf = (before: string, vocabulary: Vocabulary): Map<string, Shape | undefined> => {
  const scope = new Map<string, Shape | undefined>(Object.entries(variablesOf(vocabulary)))
  for (const [, isLoop, item = '', list = '', name, path = '', captured] of before.matchAll(NAMINGS)) {
    if (isLoop) {
      const shape = shapeAt(list, scope)
      scope.set(item, shape && elementOf(shape)).set('forloop', forloop)
    } else if (name !== undefined) scope.set(name, shapeAt(path, scope))
    else if (captured !== undefined) scope.set(captured, { type: 'string' })
  }
  return scope
}
