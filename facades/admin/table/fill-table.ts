import { type CellKind, cellOf, isBoolean, isNumber } from './cell.ts'
import { addColumn, emptyRow, withCell } from './edit-table.ts'
import { columnKind, columnsOf, type Row, type Table } from './json-table.ts'

/** Returns the name, with a number appended if it is taken. */
const freeName = (name: string, taken: ReadonlySet<string>): string => {
  if (!taken.has(name)) return name
  let number = 2
  while (taken.has(`${name}_${number}`)) number += 1
  return `${name}_${number}`
}

/**
 * Returns the column names from the first row of a CSV file. Replaces empty names with generated ones such as
 * `column_3`, which Liquid can read as `item.column_3`.
 */
const columnNames = (header: readonly string[], count: number): string[] => {
  const taken = new Set<string>()
  return Array.from({ length: count }, (_, at) => {
    const name = freeName(header[at]?.trim() || `column_${at + 1}`, taken)
    taken.add(name)
    return name
  })
}

/**
 * Writes pasted cells into a table. Rows and columns that do not fit are added at the end.
 *
 * @param rows the indexes of the rows to fill, in the order in which they are shown
 * @param left the index of the first column to fill
 */
export const pasteCells = (
  table: Table,
  cells: readonly (readonly string[])[],
  rows: readonly number[],
  left: number,
): Table => {
  const width = left + Math.max(0, ...cells.map(line => line.length))
  let wide = table
  while (wide.columns.length < width)
    wide = addColumn(wide, freeName(`column_${wide.columns.length + 1}`, new Set(wide.columns)))
  const kinds = wide.columns.map(column => columnKind(wide, column))
  const filled = [...wide.rows]
  for (const [line, values] of cells.entries()) {
    const target = rows[line] ?? filled.length
    let row: Row = filled[target] ?? emptyRow(wide)
    for (const [offset, value] of values.entries()) {
      const column = wide.columns[left + offset]!
      row = withCell(row, wide.columns, column, cellOf(value, row.get(column), kinds[left + offset]))
    }
    filled[target] = row
  }
  return { columns: columnsOf(filled), rows: filled }
}

/** Returns the type to which all values of a column can be converted. */
const kindOfTexts = (texts: readonly string[]): CellKind => {
  const filled = texts.filter(text => text !== '')
  if (filled.length === 0) return 'text'
  if (filled.every(isNumber)) return 'number'
  return filled.every(isBoolean) ? 'boolean' : 'text'
}

const importedCell = (text: string, kind: CellKind): string => {
  if (kind === 'text') return JSON.stringify(text)
  return text === '' ? 'null' : text.toLowerCase()
}

/**
 * Adds the rows of a CSV file to a table. The first row of the file names the columns. All new values of a
 * column get the same type: text if the table already has a text column of that name, otherwise the type to
 * which all new values can be converted.
 */
export const addCsvRows = (table: Table, [header = [], ...lines]: readonly (readonly string[])[]): Table => {
  const names = columnNames(header, Math.max(header.length, ...lines.map(line => line.length)))
  const kinds = names.map((name, at) =>
    columnKind(table, name) === 'text' ? 'text' : kindOfTexts(lines.map(line => line[at] ?? '')),
  )
  const columns = [...table.columns, ...names.filter(name => !table.columns.includes(name))]
  const base = emptyRow(table)
  const added = lines.map(line => {
    const cells = new Map(names.map((name, at) => [name, importedCell(line[at] ?? '', kinds[at]!)]))
    return new Map(columns.map(column => [column, cells.get(column) ?? base.get(column)!]))
  })
  const rows = [...table.rows, ...added]
  return { columns: columnsOf(rows), rows }
}
