import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { kindOf, shownCell } from '../../facades/admin/table/cell.ts'
import { delimiterOf, splitCells } from '../../facades/admin/table/delimited-text.ts'
import { addCsvRows, pasteCells } from '../../facades/admin/table/fill-table.ts'
import { readTable, type Table, writeTable } from '../../facades/admin/table/json-table.ts'

const cell = fc.oneof(
  fc.string(),
  fc.string({ unit: fc.constantFrom('"', ',', ';', '\t', '\n', '\r', ' ', 'a') }),
  fc.constantFrom('', '1', '-2.5', 'TRUE', 'false', '007'),
)
const grid = fc
  .integer({ min: 1, max: 5 })
  .chain(width =>
    fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 6 }),
  )

/** Joins cells and quotes those that need it, as spreadsheets do. */
const join = (rows: string[][], delimiter: string, end: string) =>
  rows
    .map(row =>
      row.map(cell => (/[",;\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(delimiter),
    )
    .join(end)

const read = (value: unknown): Table => {
  const table = readTable(JSON.stringify(value))
  if (typeof table === 'string') throw new Error(table)
  return table
}
const parsed = (table: Table): unknown => JSON.parse(writeTable(table))

describe('delimited text', () => {
  it('is split into the cells that were joined', () => {
    const delimiter = fc.constantFrom(',', ';', '\t')
    fc.assert(
      fc.property(
        grid,
        delimiter,
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.boolean(),
        (rows, delimiter, end, ends) => {
          const text = join(rows, delimiter, end)
          // A last row that consists of one empty cell cannot be told apart from a line break at the end of the text.
          fc.pre(ends || rows.at(-1)!.join('') !== '' || rows.at(-1)!.length > 1)
          expect(splitCells(text + (ends ? end : ''), delimiter)).toEqual(rows)
        },
      ),
      { numRuns: 1000 },
    )
  })

  it('is read without losing characters, even if its quotes are wrong', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('"', ',', '\n', 'a') }), text => {
        const letters = splitCells(text, ',').flat().join('').replace(/[^a]/g, '')
        expect(letters).toBe(text.replace(/[^a]/g, ''))
      }),
      { numRuns: 1000 },
    )
  })

  it.each([
    ['a;b;c\n1,5;2;3', ';'],
    ['a\tb', '\t'],
    ['"a;b;c",d', ','],
    ['a', ','],
    ['', ','],
  ])('has its delimiter recognized: %j', (text, delimiter) => {
    expect(delimiterOf(text)).toBe(delimiter)
  })
})

describe('pasting cells', () => {
  it('starts at the selected cell, adds rows and columns where needed, and changes no other cells', () => {
    const list = fc.array(fc.record({ a: cell, b: fc.integer() }), { minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(list, grid, fc.nat({ max: 3 }), fc.nat({ max: 1 }), (list, cells, at, left) => {
        const top = at % list.length
        const table = read(list)
        const shown = list.map((_, row) => row).slice(top)
        const after = pasteCells(table, cells, shown, left)
        expect(after.rows).toHaveLength(Math.max(list.length, top + cells.length))
        expect(after.columns).toHaveLength(Math.max(2, left + cells[0]!.length))
        const pasted = (row: number, column: number) =>
          row < top ? undefined : cells[row - top]?.[column - left]
        // In new rows, leave out the cells that were not pasted: they have the values of an empty row.
        const seen = after.rows.map((line, row) =>
          after.columns
            .filter((_, column) => pasted(row, column) !== undefined || row < list.length)
            .map(name => shownCell(line.get(name)).toLowerCase()),
        )
        const expected = after.rows.map((_, row) =>
          after.columns
            .map((name, column) =>
              row < list.length
                ? (pasted(row, column) ?? shownCell(table.rows[row]!.get(name)))
                : pasted(row, column),
            )
            .filter(shown => shown !== undefined)
            .map(shown => shown.toLowerCase()),
        )
        expect(seen).toEqual(expected)
      }),
      { numRuns: 500 },
    )
  })

  it('keeps the types of a column', () => {
    const table = read([{ zip: '01067', places: 1, open: true }])
    expect(
      parsed(
        pasteCells(
          table,
          [
            ['1099', '2', 'FALSE'],
            ['20095', '', 'true'],
          ],
          [0],
          0,
        ),
      ),
    ).toEqual([
      { zip: '1099', places: 2, open: false },
      { zip: '20095', places: null, open: true },
    ])
  })

  it('skips rows that are not shown', () => {
    const table = read([{ a: 'x' }, { a: 'hidden' }, { a: 'y' }])
    expect(parsed(pasteCells(table, [['1'], ['2'], ['3']], [0, 2], 0))).toEqual([
      { a: '1' },
      { a: 'hidden' },
      { a: '2' },
      { a: '3' },
    ])
  })
})

describe('importing a CSV file', () => {
  it('turns each row into an object; all objects have the same keys, and each column has one type', () => {
    fc.assert(
      fc.property(grid, ([header, ...lines]) => {
        const { columns, rows } = addCsvRows({ columns: [], rows: [] }, [header!, ...lines])
        expect(rows).toHaveLength(lines.length)
        for (const [index, row] of rows.entries()) {
          expect([...row.keys()]).toEqual(columns)
          expect(Array.from(row.values(), json => shownCell(json).toLowerCase())).toEqual(
            lines[index]!.map(cell => cell.toLowerCase()),
          )
        }
        for (const column of columns) {
          const kinds = new Set(rows.map(row => kindOf(row.get(column)!)))
          kinds.delete('null')
          expect(kinds.size).toBeLessThanOrEqual(1)
        }
      }),
      { numRuns: 500 },
    )
  })

  it('names columns without a name, and makes equal names distinct', () => {
    const lines = [
      ['a', '', 'a'],
      ['1', '2', '3', '4'],
    ]
    expect(parsed(addCsvRows({ columns: [], rows: [] }, lines))).toEqual([
      { a: 1, column_2: 2, a_2: 3, column_4: 4 },
    ])
  })

  it('adds rows below the existing ones, and keeps the existing columns and types', () => {
    const table = read([{ title: 'Sowing', zip: '01067', open: true }])
    const lines = [
      ['zip', 'places', 'title'],
      ['1099', '8', 'Harvest'],
    ]
    expect(parsed(addCsvRows(table, lines))).toEqual([
      { title: 'Sowing', zip: '01067', open: true },
      { title: 'Harvest', zip: '1099', open: false, places: 8 },
    ])
  })
})
