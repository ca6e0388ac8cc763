import { checkNumber } from '../../shared/check-number.ts'

/** The type of a cell. Lists and objects are nested: the table shows them but does not edit them. */
export type CellKind = 'text' | 'number' | 'boolean' | 'null' | 'nested'

/** Returns the type of a value, given as JSON without surrounding white space. */
export const kindOf = (json: string): CellKind => {
  const [first] = json
  if (first === '"') return 'text'
  if (first === '{' || first === '[') return 'nested'
  if (first === 't' || first === 'f') return 'boolean'
  return first === 'n' ? 'null' : 'number'
}

/** Returns what a cell shows: a string without its quotes, nothing for null or a missing value, otherwise the JSON. */
export const shownCell = (json: string | undefined): string => {
  if (json === undefined || json === 'null') return ''
  return json.startsWith('"') ? (JSON.parse(json) as string) : json
}

/** Whether `text` is a JSON number that can be stored without losing digits. */
export const isNumber = (text: string): boolean =>
  /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text) && checkNumber(text) === null

/** Whether `text` is `true` or `false`, in any case: spreadsheets write them in capitals. */
export const isBoolean = (text: string): boolean => /^(?:true|false)$/i.test(text)

/**
 * Converts typed or pasted text to a value. Keeps the type of the cell where possible: a text cell stays text even if
 * `007` or `2024` is typed, and an empty cell gets the type of its column.
 *
 * @param before the JSON of the cell before the edit; undefined if the cell had no value, not even null
 * @param columnKind the type of all values in the column; undefined if the values have several types
 * @returns the JSON of the cell after the edit; undefined if the cell still has no value
 */
export const cellOf = (
  typed: string,
  before: string | undefined,
  columnKind?: CellKind,
): string | undefined => {
  if (typed === shownCell(before)) return before
  const kind = before === undefined ? 'null' : kindOf(before)
  if ((kind === 'null' || kind === 'nested' ? columnKind : kind) === 'text') return JSON.stringify(typed)
  if (typed === '') return 'null'
  if (isNumber(typed)) return typed
  return isBoolean(typed) ? typed.toLowerCase() : JSON.stringify(typed)
}

/**
 * Converts a cell to another type.
 *
 * @returns the JSON; undefined if this value cannot have the type
 */
export const convertCell = (json: string | undefined, kind: CellKind): string | undefined => {
  const shown = shownCell(json)
  if (kind === 'null') return 'null'
  if (kind === 'text') return JSON.stringify(shown)
  if (kind === 'number') return shown === '' ? '0' : isNumber(shown) ? shown : undefined
  if (kind === 'boolean') return shown === '' ? 'false' : isBoolean(shown) ? shown.toLowerCase() : undefined
  return undefined
}
