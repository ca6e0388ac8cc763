import { type CellKind, kindOf, shownCell } from './cell.ts'
import { columnKind, columnsOf, type Row, type Table } from './json-table.ts'

const tableOf = (rows: readonly Row[]): Table => ({ columns: columnsOf(rows), rows })

/** Returns a row with a cell replaced, added in the order of the columns, or removed if `json` is undefined. */
export const withCell = (
  row: Row,
  columns: readonly string[],
  column: string,
  json: string | undefined,
): Row => {
  const cells = [...row]
  const at = cells.findIndex(([key]) => key === column)
  if (json === undefined) return new Map(cells.filter(([key]) => key !== column))
  if (at !== -1) return new Map(cells.with(at, [column, json]))
  const place = columns.indexOf(column)
  const next = place === -1 ? -1 : cells.findIndex(([key]) => columns.indexOf(key) > place)
  return new Map(cells.toSpliced(next === -1 ? cells.length : next, 0, [column, json]))
}

/** Replaces one cell. @param json undefined to remove the key from the object */
export const setCell = (table: Table, row: number, column: string, json: string | undefined): Table =>
  tableOf(table.rows.with(row, withCell(table.rows[row]!, table.columns, column, json)))

/** Returns a row with every column, so that all objects of the list have the same keys. */
export const emptyRow = (table: Table): Row =>
  new Map(
    table.columns.map(column => {
      const kind = columnKind(table, column)
      return [column, kind === 'text' ? '""' : kind === 'boolean' ? 'false' : 'null']
    }),
  )

/** Inserts an empty row at the index `at`. */
export const insertRow = (table: Table, at: number): Table =>
  tableOf(table.rows.toSpliced(at, 0, emptyRow(table)))

export const deleteRow = (table: Table, row: number): Table => tableOf(table.rows.toSpliced(row, 1))

export const moveRow = ({ rows }: Table, from: number, to: number): Table =>
  tableOf(rows.toSpliced(from, 1).toSpliced(to, 0, rows[from]!))

/** Adds a column of nulls at the end. If the table is empty, also adds a first row. */
export const addColumn = ({ columns, rows }: Table, column: string): Table => ({
  columns: [...columns, column],
  rows: (rows.length === 0 ? [new Map<string, string>()] : rows).map(
    row => new Map([...row, [column, 'null']]),
  ),
})

export const renameColumn = ({ columns, rows }: Table, from: string, to: string): Table => ({
  columns: columns.map(column => (column === from ? to : column)),
  rows: rows.map(row => new Map(Array.from(row, ([key, json]) => [key === from ? to : key, json]))),
})

export const deleteColumn = ({ columns, rows }: Table, column: string): Table => ({
  columns: columns.filter(other => other !== column),
  rows: rows.map(row => withCell(row, columns, column, undefined)),
})

const collator = new Intl.Collator('en', { numeric: true })

/** Values of different types are sorted in this order. */
const KINDS: CellKind[] = ['number', 'text', 'boolean', 'nested', 'null']

const compare = (one: string, other: string): number => {
  const kind = kindOf(one)
  if (kind !== kindOf(other)) return KINDS.indexOf(kind) - KINDS.indexOf(kindOf(other))
  return kind === 'number' ? Number(one) - Number(other) : collator.compare(shownCell(one), shownCell(other))
}

/**
 * Sorts the rows by a column. Nulls and missing values come last in both directions; rows with equal values keep their
 * order.
 */
export const sortRows = (table: Table, column: string, direction: 'ascending' | 'descending'): Table => {
  const value = (row: Row) => row.get(column) ?? 'null'
  const sign = direction === 'ascending' ? 1 : -1
  const rows = table.rows.toSorted((one, other) => {
    const [a, b] = [value(one), value(other)]
    if (a === 'null' || b === 'null') return Number(a === 'null') - Number(b === 'null')
    return sign * compare(a, b)
  })
  return tableOf(rows)
}
