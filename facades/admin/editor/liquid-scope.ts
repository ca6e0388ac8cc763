import { forloop, itemsOf, membersOf, type Schema, variablesOf } from './schemas.ts'
import type { Vocabulary } from './vocabulary.ts'

/** Tags that define a variable: `for`, `assign` and `capture`. */
const DEFINITIONS =
  /\{%-?\s*(?:(for)\s+(\w+)\s+in\s+([\w.[\]"'-]+)|assign\s+(\w+)\s*=\s*([\w.[\]"'-]+)|capture\s+(\w+))/g

/** Path segments: `.name`, `["name"]`, `[0]`. */
const SEGMENTS = /\.([\w-]+)|\[\s*(?:"([^"]*)"|'([^']*)'|(-?\d+))\s*\]/g

/** The schema of the value at a path such as `data.events[0].title`, or undefined if unknown. */
export const schemaAt = (
  path: string,
  scope: ReadonlyMap<string, Schema | undefined>,
): Schema | undefined => {
  const [first = ''] = /^\w+/.exec(path) ?? []
  let schema = scope.get(first)
  for (const [, dotted, double, single, index] of path.slice(first.length).matchAll(SEGMENTS)) {
    if (!schema) return undefined
    const name = dotted ?? double ?? single
    schema = name === undefined && index !== undefined ? itemsOf(schema) : membersOf(schema).get(name ?? '')
  }
  return schema
}

/**
 * The variables defined before the cursor, each with its schema if known. Variables of a loop are included after its
 * end too, because an extra suggestion does no harm.
 */
export const scopeOf = (before: string, vocabulary: Vocabulary): Map<string, Schema | undefined> => {
  const scope = new Map<string, Schema | undefined>(Object.entries(variablesOf(vocabulary)))
  for (const [, isLoop, item = '', list = '', name, path = '', captured] of before.matchAll(DEFINITIONS)) {
    if (isLoop) {
      const schema = schemaAt(list, scope)
      scope.set(item, schema && itemsOf(schema)).set('forloop', forloop)
    } else if (name !== undefined) scope.set(name, schemaAt(path, scope))
    else if (captured !== undefined) scope.set(captured, { type: 'string' })
  }
  return scope
}
