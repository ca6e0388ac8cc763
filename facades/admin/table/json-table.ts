import { type Node, parseTree } from 'jsonc-parser'
import { rules } from '../../../routers/api/rules.ts'
import { checkJson } from '../../shared/check-json.ts'
import { type CellKind, kindOf } from './cell.ts'

/** An object of the list. Maps each key to the JSON text of its value, exactly as written in the source. */
export type Row = ReadonlyMap<string, string>

/** A list of objects. */
export interface Table {
  columns: readonly string[]
  rows: readonly Row[]
}

/** Maximum number of columns; a value with more keys is rarely a list of similar objects. */
export const MAX_COLUMNS = 100

/**
 * Returns the keys of all rows. If a row has a key that no earlier row has, the key is inserted next to its neighbor in
 * that row.
 */
export const columnsOf = (rows: readonly Row[]): string[] => {
  const columns: string[] = []
  const known = new Set<string>()
  for (const row of rows) {
    const keys = [...row.keys()]
    for (const [at, key] of keys.entries()) {
      if (known.has(key)) continue
      known.add(key)
      const next = keys.slice(at + 1).find(other => known.has(other))
      if (at > 0) columns.splice(columns.indexOf(keys[at - 1]!) + 1, 0, key)
      else columns.splice(next === undefined ? columns.length : columns.indexOf(next), 0, key)
    }
  }
  return columns
}

/**
 * Returns the type of a column's values, ignoring nulls; undefined if they have several types, or if there are no
 * values.
 */
export const columnKind = ({ rows }: Table, column: string): CellKind | undefined => {
  const kinds = new Set<CellKind>()
  for (const row of rows) {
    const json = row.get(column)
    if (json !== undefined && json !== 'null') kinds.add(kindOf(json))
  }
  return kinds.size === 1 ? [...kinds][0] : undefined
}

const rowOf = (text: string, object: Node): Row =>
  new Map(
    (object.children ?? []).map(({ children: [key, value] = [] }) => [
      key!.value as string,
      text.slice(value!.offset, value!.offset + value!.length),
    ]),
  )

/**
 * Reads a JSON text as a table.
 *
 * @returns the table, or a sentence that says why the value can only be edited as JSON
 */
export const readTable = (text: string): Table | string => {
  const check = checkJson(text, rules.data.max_depth)
  if (!check.isJson) return 'The value is not valid JSON. Fix it to edit it as a table.'
  const list = parseTree(text)!
  if (list.type !== 'array') return 'Only a list of objects can be edited as a table.'
  const objects = list.children ?? []
  const other = objects.findIndex(({ type }) => type !== 'object')
  if (other !== -1)
    return `Only a list of objects can be edited as a table. Element ${other + 1} is not an object.`
  const rows = objects.map(object => rowOf(text, object))
  const twice = objects.findIndex(({ children }, index) => (children?.length ?? 0) > rows[index]!.size)
  if (twice !== -1)
    return `Element ${twice + 1} has the same key more than once. Remove the duplicates to edit the value as a table.`
  const columns = columnsOf(rows)
  if (columns.length > MAX_COLUMNS)
    return `The objects have ${columns.length} different keys. A table shows at most ${MAX_COLUMNS}.`
  return { columns, rows }
}

const textOfRow = (row: Row) => {
  const members = Array.from(row, ([key, json]) => `    ${JSON.stringify(key)}: ${json}`)
  return members.length === 0 ? '  {}' : `  {\n${members.join(',\n')}\n  }`
}

/** Writes a table as JSON, one line for each cell. */
export const writeTable = ({ rows }: Table): string =>
  rows.length === 0 ? '[]' : `[\n${rows.map(textOfRow).join(',\n')}\n]`
