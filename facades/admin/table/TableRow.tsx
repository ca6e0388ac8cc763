import { Menu, UnstyledButton } from '@mantine/core'
import { memo, useState } from 'react'
import type { CellKind } from './cell.ts'
import { type CellPlace, placeAttribute } from './grid-focus.ts'
import type { Row } from './json-table.ts'
import { type CellActions, TableCell } from './TableCell.tsx'
import css from './table.module.css'

export interface RowActions {
  onInsert: (at: number) => void
  onDelete: (row: number) => void
  onMoveRow: (row: number, by: 1 | -1) => void
}

interface TableRowProps {
  row: number
  cells: Row
  columns: readonly string[]
  kinds: readonly (CellKind | undefined)[]
  isFirst: boolean
  isLast: boolean
  cellActions: CellActions
  rowActions: RowActions
}

/** One row of the table: an object, with a menu that its row number opens. */
export const TableRow = memo(
  (props: TableRowProps) => {
    const { row, cells, columns, kinds, isFirst, isLast, cellActions, rowActions } = props
    const [isOpen, setIsOpen] = useState(false)
    const place: CellPlace = { row, column: -1 }
    return (
      <tr>
        <th scope="row" data-open={isOpen || undefined}>
          <Menu position="bottom-start" floatingStrategy="fixed" opened={isOpen} onChange={setIsOpen}>
            <Menu.Target>
              <UnstyledButton
                {...placeAttribute(place)}
                className={`${css.handle} ${css.number}`}
                aria-label={`Row ${row + 1}`}
                tabIndex={-1}
                onKeyDown={event => {
                  const step = { ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key]
                  if (isOpen || !step) return
                  event.preventDefault()
                  event.stopPropagation()
                  cellActions.onMove(place, step[0]!, step[1]!, false)
                }}
              >
                {row + 1}
              </UnstyledButton>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item onClick={() => rowActions.onInsert(row)}>Insert row above</Menu.Item>
              <Menu.Item onClick={() => rowActions.onInsert(row + 1)}>Insert row below</Menu.Item>
              <Menu.Item disabled={isFirst} onClick={() => rowActions.onMoveRow(row, -1)}>
                Move up
              </Menu.Item>
              <Menu.Item disabled={isLast} onClick={() => rowActions.onMoveRow(row, 1)}>
                Move down
              </Menu.Item>
              <Menu.Item color="red" onClick={() => rowActions.onDelete(row)}>
                Delete row
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        </th>
        {columns.map((column, index) => (
          <td key={column}>
            <TableCell
              {...cellActions}
              place={{ row, column: index }}
              json={cells.get(column)}
              columnKind={kinds[index]}
              label={`${column}, row ${row + 1}`}
            />
          </td>
        ))}
      </tr>
    )
  },
  (before, after) =>
    before.row === after.row &&
    before.isFirst === after.isFirst &&
    before.isLast === after.isLast &&
    before.columns.length === after.columns.length &&
    after.columns.every(
      (column, at) =>
        column === before.columns[at] &&
        before.cells.get(column) === after.cells.get(column) &&
        before.kinds[at] === after.kinds[at],
    ),
)
