import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cellOf, kindOf, shownCell } from '../../facades/admin/table/cell.ts'
import {
  addColumn,
  deleteColumn,
  deleteRow,
  insertRow,
  moveRow,
  renameColumn,
  setCell,
  sortRows,
} from '../../facades/admin/table/edit-table.ts'
import { columnKind, readTable, type Table, writeTable } from '../../facades/admin/table/json-table.ts'
import type { Json } from '../../routers/content/data/json.ts'
import { jsonValue } from './values.ts'

/** Ordinary keys, names of built-in properties, numbers (which objects reorder), and keys that need escaping. */
const key = fc.constantFrom('a', 'b', 'c', 'd', '', '__proto__', 'constructor', 'a/b', '10', '2', '"', '\n')
const scalar = fc.oneof(
  fc.string(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constant(null),
)
const value = fc.oneof({ weight: 4, arbitrary: scalar }, jsonValue).map(value => JSON.stringify(value))
const rows = fc.array(
  fc.array(fc.tuple(key, value), { maxLength: 5 }).map(cells => new Map(cells)),
  { maxLength: 6 },
)

const tableOf = (text: string): Table => {
  const table = readTable(text)
  if (typeof table === 'string') throw new Error(table)
  return table
}
const table = rows.map(rows => tableOf(writeTable({ columns: [], rows })))
const filled = table.filter(({ columns, rows }) => columns.length > 0 && rows.length > 0)
const place = fc.nat({ max: 1000 })
const parsed = (table: Table) => JSON.parse(writeTable(table)) as { [key: string]: Json }[]
const values = ({ rows }: Table, column: string) => rows.map(row => row.get(column) ?? 'null')

describe('a list of objects as a table', () => {
  it('is written as it was read, whatever the formatting of the text', () => {
    fc.assert(
      fc.property(
        fc.array(fc.dictionary(key, jsonValue)),
        fc.constantFrom(undefined, 2, '\t'),
        (list, indent) => {
          const text = JSON.stringify(list, null, indent)
          const written = writeTable(tableOf(text))
          expect(JSON.stringify(JSON.parse(written))).toBe(JSON.stringify(JSON.parse(text)))
          expect(writeTable(tableOf(written))).toBe(written)
        },
      ),
      { numRuns: 500 },
    )
  })

  it('is accepted; every other JSON value is rejected', () => {
    fc.assert(
      fc.property(fc.oneof(jsonValue, fc.array(jsonValue)), value => {
        const isList =
          Array.isArray(value) &&
          value.every(element => typeof element === 'object' && element !== null && !Array.isArray(element))
        expect(typeof readTable(JSON.stringify(value)) === 'object').toBe(isList)
      }),
      { numRuns: 500 },
    )
  })

  it('has each key of the rows once, and the keys of the first row in order', () => {
    fc.assert(
      fc.property(table, ({ columns, rows }) => {
        expect(columns).toHaveLength(new Set(columns).size)
        expect(new Set(columns)).toEqual(new Set(rows.flatMap(row => [...row.keys()])))
        const [first = new Map()] = rows
        expect(columns.filter(column => first.has(column))).toEqual([...first.keys()])
      }),
      { numRuns: 500 },
    )
  })

  it.each([
    ['[{"a": 1, "c": 1}, {"a": 1, "b": 1, "c": 1}]', ['a', 'b', 'c']],
    ['[{"b": 1}, {"a": 1, "b": 1}, {"d": 1}]', ['a', 'b', 'd']],
  ])(
    'places a key that first appears in a later row beside an adjacent key of that row: %s',
    (text, columns) => {
      expect(tableOf(text).columns).toEqual(columns)
    },
  )

  it.each([
    ['[{"a": 1,}]', 'not valid JSON'],
    ['{"a": 1}', 'Only a list'],
    ['[{}, 2]', 'Element 2 is not an object'],
    ['[{"a": 1, "a": 2}]', 'Element 1 has the same key more than once'],
    [`[{${Array.from({ length: 101 }, (_, at) => `"k${at}": 1`).join()}}]`, '101 different keys'],
  ])('is not read from %s', (text, reason) => {
    expect(readTable(text)).toContain(reason)
  })

  it('keeps digits that a double cannot represent', () => {
    const text = '[{"a": 12345678901234567890, "b": 1.0}]'
    expect(writeTable(setCell(tableOf(text), 0, 'c', 'null'))).toContain(
      '12345678901234567890,\n    "b": 1.0,',
    )
  })
})

describe('a cell', () => {
  it('is unchanged if the text that it shows is typed again', () => {
    fc.assert(
      fc.property(value, fc.constantFrom(undefined, 'text', 'number', 'boolean'), (json, kind) => {
        expect(cellOf(shownCell(json), json, kind)).toBe(json)
        expect(cellOf('', undefined, kind)).toBe(undefined)
      }),
    )
  })

  it('stays text if it was text, whatever is typed', () => {
    const typed = fc.oneof(
      fc.string({ minLength: 1 }),
      fc.double().map(String),
      fc.constantFrom('true', 'null', '007', '2024'),
    )
    fc.assert(
      fc.property(fc.string(), typed, (before, typed) => {
        expect(JSON.parse(cellOf(typed, JSON.stringify(before))!)).toBe(typed)
        // An empty cell gets the type of its column.
        expect(JSON.parse(cellOf(typed, 'null', 'text')!)).toBe(typed)
      }),
    )
  })

  it('stays a number if a number is typed over it', () => {
    const typed = fc.double({ noNaN: true, noDefaultInfinity: true }).map(String)
    fc.assert(
      fc.property(fc.integer().map(String), typed, (before, typed) => {
        expect(kindOf(cellOf(typed, before)!)).toBe('number')
      }),
    )
  })

  it('is always valid JSON that shows what was typed', () => {
    const typed = fc.oneof(
      fc.string(),
      fc.string({ unit: fc.constantFrom('0', '1', '2', '.', '-', '+', 'e', 'E') }),
    )
    fc.assert(
      fc.property(value, typed, (before, typed) => {
        const json = cellOf(typed, before)!
        JSON.parse(json)
        expect(shownCell(json).toLowerCase()).toBe(typed.toLowerCase())
      }),
      { numRuns: 1000 },
    )
  })

  it.each(['12345678901234567890', '1e400', '007', '+1', '1,5', '.5', 'NaN', ' 1'])(
    'keeps %s as text, because no JSON number is written like this',
    typed => {
      expect(cellOf(typed, '1')).toBe(JSON.stringify(typed))
    },
  )
})

describe('an edit of a table', () => {
  it('changes only the edited cell', () => {
    fc.assert(
      fc.property(filled, place, place, fc.option(value, { nil: undefined }), (table, r, c, json) => {
        const row = r % table.rows.length
        const column = table.columns[c % table.columns.length]!
        const after = setCell(table, row, column, json)
        expect(after.rows[row]!.get(column)).toBe(json)
        const others = ({ rows }: Table) =>
          rows.map((cells, index) =>
            table.columns.filter(other => index !== row || other !== column).map(other => cells.get(other)),
          )
        expect(others(after)).toEqual(others(table))
      }),
    )
  })

  it('is reversed if an added row is deleted again, or a moved row is moved back', () => {
    fc.assert(
      fc.property(table, place, place, (table, from, to) => {
        const at = from % (table.rows.length + 1)
        const inserted = insertRow(table, at)
        expect([...inserted.rows[at]!.keys()]).toEqual(table.columns)
        expect(parsed(deleteRow(inserted, at))).toEqual(parsed(table))
        const [one, other] = [at, to % inserted.rows.length]
        expect(moveRow(inserted, one, other).rows[other]).toBe(inserted.rows[one])
        expect(parsed(moveRow(moveRow(inserted, one, other), other, one))).toEqual(parsed(inserted))
      }),
    )
  })

  it('can add, rename and delete a column without changing the others', () => {
    fc.assert(
      fc.property(filled, place, (table, c) => {
        const column = table.columns[c % table.columns.length]!
        const renamed = renameColumn(table, column, 'new')
        expect(values(renamed, 'new')).toEqual(values(table, column))
        expect(parsed(renameColumn(renamed, 'new', column))).toEqual(parsed(table))
        expect(parsed(deleteColumn(addColumn(table, 'new'), 'new'))).toEqual(parsed(table))
        expect(deleteColumn(table, column).columns).toEqual(table.columns.filter(other => other !== column))
      }),
    )
  })

  it('can sort the rows; empty cells come last, and equal rows keep their order', () => {
    fc.assert(
      fc.property(filled, place, fc.constantFrom('ascending', 'descending'), (table, c, direction) => {
        const column = table.columns[c % table.columns.length]!
        const sorted = sortRows(table, column, direction)
        expect(new Set(sorted.rows)).toEqual(new Set(table.rows))
        expect(sorted.rows).toHaveLength(table.rows.length)
        const jsons = values(sorted, column)
        expect(
          jsons.lastIndexOf('null') === -1 ||
            !jsons.slice(jsons.indexOf('null')).some(json => json !== 'null'),
        ).toBe(true)
        expect(values(sortRows(sorted, column, direction), column)).toEqual(jsons)
        if (columnKind(table, column) !== 'number') return
        const numbers = jsons.filter(json => json !== 'null').map(Number)
        const expected = numbers.toSorted((a, b) => (direction === 'ascending' ? a - b : b - a))
        expect(numbers).toEqual(expected)
      }),
      { numRuns: 500 },
    )
  })
})
