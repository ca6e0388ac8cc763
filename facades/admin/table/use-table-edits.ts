import { type RefObject, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { rules } from '../../../routers/api/rules.ts'
import { formatBytes } from '../ui/numbers.ts'
import { shownCell } from './cell.ts'
import * as edits from './edit-table.ts'
import { addCsvRows, pasteCells } from './fill-table.ts'
import { type CellPlace, focusCell } from './grid-focus.ts'
import { MAX_COLUMNS, type Table, writeTable } from './json-table.ts'
import { readCsv } from './read-csv.ts'
import type { CellActions } from './TableCell.tsx'
import type { RowActions } from './TableRow.tsx'

interface TableEditing {
  table: Table
  view: ReturnType<typeof useTableView>
  /** The element that contains the cells. */
  frame: RefObject<HTMLElement | null>
  onChange: (text: string) => void
  onUndo: (isRedo: boolean) => void
  onOpenJson: (place: CellPlace) => void
  onLeave: () => void
  setActive: (place: CellPlace) => void
  /** Shows why an edit was not made; null hides the message. */
  setProblem: (problem: string | null) => void
  onImported: (count: number) => void
}

/** Returns why a table with new rows or columns cannot be stored as a value, or null. */
const problemOf = (table: Table): string | null => {
  const { value_max_bytes: max } = rules.data
  if (table.columns.length > MAX_COLUMNS)
    return `A table has at most ${MAX_COLUMNS} columns. Nothing was changed.`
  const size = new TextEncoder().encode(JSON.stringify(JSON.parse(writeTable(table)))).length
  if (size <= max) return null
  return `With these rows, the value would be ${formatBytes(size)}; the limit is ${formatBytes(max)}. Nothing was changed.`
}

/** The functions that edit a table. Each writes the value's text and moves the focus to the cell to edit next. */
export const useTableEdits = (editing: TableEditing) => {
  const latest = useRef(editing)
  latest.current = editing

  return useMemo(() => {
    const now = () => latest.current
    /** Moves the focus to a cell, after switching to its page. */
    const focus = (place: CellPlace): boolean => {
      const { view, frame } = now()
      if (place.row !== -1 && view.pageOf(place.row) !== view.page)
        flushSync(() => view.setPage(view.pageOf(place.row)))
      return focusCell(frame.current, place)
    }
    const write = (table: Table, place?: CellPlace) => {
      // Update synchronously, because the value may be saved right after this.
      flushSync(() => {
        now().setProblem(null)
        now().onChange(writeTable(table))
        if (place) now().setActive(place)
      })
      if (place) focus(place)
    }
    /**
     * Writes a table after a paste, an import, or the addition of a column. If the table is too large, writes nothing
     * and shows the problem. Returns whether the table was written.
     */
    const writeMany = (table: Table, place?: CellPlace): boolean => {
      const problem = problemOf(table)
      if (problem) now().setProblem(problem)
      else write(table, place)
      return !problem
    }
    const cells: CellActions = {
      onEdit: ({ row, column }, json) => {
        const { table } = now()
        const name = table.columns[column]
        if (name !== undefined && table.rows[row]) write(edits.setCell(table, row, name, json))
      },
      onPaste: (place, pasted) => {
        const { table, view } = now()
        writeMany(
          pasteCells(table, pasted, view.shown.slice(view.shown.indexOf(place.row)), place.column),
          place,
        )
      },
      onFocus: place => now().setActive(place),
      onMove: (place, rows, columns, wraps) => {
        const { table, view } = now()
        let at = view.shown.indexOf(place.row) + rows
        let column = place.column + columns
        if (wraps && (column < 0 || column >= table.columns.length)) {
          at += columns
          column = columns > 0 ? 0 : table.columns.length - 1
          if (at < 0) return false
        }
        const row = at < 0 ? -1 : view.shown[at]
        return row !== undefined && column < table.columns.length && focus({ row, column })
      },
      onLeave: () => now().onLeave(),
      onUndo: isRedo => now().onUndo(isRedo),
      onOpenJson: place => now().onOpenJson(place),
    }
    const rows: RowActions = {
      onInsert: at => write(edits.insertRow(now().table, at), { row: at, column: 0 }),
      onDelete: row => {
        const { table } = now()
        const next = Math.min(row, table.rows.length - 2)
        write(edits.deleteRow(table, row), { row: next, column: -1 })
      },
      onMoveRow: (row, by) => write(edits.moveRow(now().table, row, row + by), { row: row + by, column: -1 }),
    }
    const columns = {
      onAdd: (name: string) => {
        const table = edits.addColumn(now().table, name)
        writeMany(table, { row: 0, column: table.columns.length - 1 })
      },
      onRename: (from: string, to: string) => {
        const { table } = now()
        if (from !== to)
          write(edits.renameColumn(table, from, to), { row: -1, column: table.columns.indexOf(from) })
      },
      onDelete: (name: string) => {
        const { table } = now()
        write(edits.deleteColumn(table, name), {
          row: -1,
          column: Math.max(0, table.columns.indexOf(name) - 1),
        })
      },
      onSort: (name: string, direction: 'ascending' | 'descending') => {
        const { table } = now()
        write(edits.sortRows(table, name, direction), { row: -1, column: table.columns.indexOf(name) })
      },
    }
    /** Adds the rows of a CSV file, or replaces all rows with them. */
    const importCsv = async (file: File, isReplacing: boolean) => {
      const lines = await readCsv(file)
      if (typeof lines === 'string') return now().setProblem(lines)
      const { table } = now()
      const start = isReplacing ? { columns: [], rows: [] } : table
      if (writeMany(addCsvRows(start, lines))) now().onImported(lines.length - 1)
    }
    return { cells, rows, columns, importCsv }
  }, [])
}

/** Rows drawn at a time, so that long lists stay fast. */
const PAGE = 100

/**
 * The rows that are drawn: those that match the filter, a page at a time. Filtering and paging never change the value.
 *
 * @param activeRow stays visible while it is edited, even if it no longer matches
 */
export const useTableView = ({ rows }: Table, activeRow: number | undefined) => {
  const [filter, setFilter] = useState('')
  const [page, setPage] = useState(0)
  const shown = useMemo(() => {
    const wanted = filter.trim().toLowerCase()
    const matches = (row: number) =>
      wanted === '' ||
      row === activeRow ||
      [...rows[row]!.values()].some(json => shownCell(json).toLowerCase().includes(wanted))
    return Array.from(rows.keys()).filter(matches)
  }, [rows, filter, activeRow])
  const pages = Math.max(1, Math.ceil(shown.length / PAGE))
  const current = Math.min(page, pages - 1)
  return {
    filter,
    setFilter,
    /** The indexes of the rows that match. */
    shown,
    drawn: shown.slice(current * PAGE, (current + 1) * PAGE),
    page: current,
    pages,
    firstDrawn: current * PAGE,
    setPage,
    /** Returns the number of the page that contains a row. */
    pageOf: (row: number) => Math.floor(Math.max(0, shown.indexOf(row)) / PAGE),
  }
}
