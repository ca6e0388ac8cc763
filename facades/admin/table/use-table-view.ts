import { useMemo, useState } from 'react'
import { shownCell } from './cell.ts'
import type { Table } from './json-table.ts'

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
