import { ActionIcon, Alert, Button, Group, Stack, Text, TextInput, VisuallyHidden } from '@mantine/core'
import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconChevronLeft,
  IconChevronRight,
  IconPlus,
  IconSearch,
} from '@tabler/icons-react'
import { type ReactNode, useMemo, useRef, useState } from 'react'
import { notifySuccess } from '../ui/notify.ts'
import { counted, formatNumber } from '../ui/numbers.ts'
import { CellType, ColumnDialog, ColumnMenu, ImportCsv } from './ColumnMenu.tsx'
import type { CellPlace } from './grid-focus.ts'
import { columnKind, type Table } from './json-table.ts'
import { TableRow } from './TableRow.tsx'
import css from './table.module.css'
import { useTableEdits, useTableView } from './use-table-edits.ts'

interface RecordTableProps {
  table: Table
  /** Called with the text of the value after each edit. */
  onChange: (text: string) => void
  /** Undoes or redoes a change of the text. */
  onUndo: (isRedo: boolean) => void
  /** Opens a cell in the JSON view. */
  onOpenJson: (row: number, column: string) => void
}

const Tool = (props: { label: string; icon: ReactNode; onClick: () => void; isDisabled?: boolean }) => (
  <ActionIcon
    variant="default"
    size={26}
    aria-label={props.label}
    title={props.label}
    onClick={props.onClick}
    disabled={props.isDisabled ?? false}
  >
    {props.icon}
  </ActionIcon>
)

/** Edits a list of objects as a table. The content of the table is stored only in the value's text. */
const RecordTable = ({ table, onChange, onUndo, onOpenJson }: RecordTableProps) => {
  const { columns, rows } = table
  const frame = useRef<HTMLDivElement>(null)
  const addRow = useRef<HTMLButtonElement>(null)
  const [active, setActive] = useState<CellPlace | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [dialog, setDialog] = useState<{ column: string | null } | null>(null)
  const [isDropping, setIsDropping] = useState(false)
  const view = useTableView(table, active?.row)
  const { drawn, shown, page, pages } = view
  const edit = useTableEdits({
    table,
    view,
    frame,
    onChange,
    onUndo,
    onOpenJson: ({ row, column }) => onOpenJson(row, columns[column]!),
    onLeave: () => addRow.current?.focus(),
    setActive,
    setProblem,
    onImported: count => notifySuccess(`${counted(count, 'row')} imported`),
  })
  const kinds = useMemo(() => table.columns.map(column => columnKind(table, column)), [table])
  const activeColumn = active && columns[active.column]
  const activeRow = active && rows[active.row]
  const isCell = activeRow != null && activeColumn != null
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <TextInput
          type="search"
          size="xs"
          flex="1 1 9rem"
          maw="16rem"
          aria-label="Filter rows"
          placeholder="Filter rows"
          leftSection={<IconSearch size={14} aria-hidden />}
          value={view.filter}
          onChange={event => {
            // Let the filter hide the row that was edited last.
            setActive(null)
            view.setFilter(event.currentTarget.value)
          }}
        />
        <CellType
          json={isCell ? activeRow.get(activeColumn) : undefined}
          isDisabled={!isCell}
          onChange={json => active && edit.cells.onEdit(active, json)}
        />
        <Tool label="Undo" icon={<IconArrowBackUp size={16} aria-hidden />} onClick={() => onUndo(false)} />
        <Tool label="Redo" icon={<IconArrowForwardUp size={16} aria-hidden />} onClick={() => onUndo(true)} />
        <ImportCsv
          hasRows={rows.length > 0}
          onFile={(file, replaces) => void edit.importCsv(file, replaces)}
        />
      </Group>
      {problem && (
        <Alert
          color="red"
          role="alert"
          withCloseButton
          closeButtonLabel="Close"
          onClose={() => setProblem(null)}
        >
          {problem}
        </Alert>
      )}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping a file is a shortcut for the button above */}
      <div
        ref={frame}
        className={css.frame}
        data-dropping={isDropping || undefined}
        onDragOver={event => {
          if (!event.dataTransfer.types.includes('Files')) return
          event.preventDefault()
          setIsDropping(true)
        }}
        onDragLeave={() => setIsDropping(false)}
        onDrop={event => {
          setIsDropping(false)
          const [file] = event.dataTransfer.files
          if (!file) return
          event.preventDefault()
          void edit.importCsv(file, false)
        }}
      >
        <table className={css.table} aria-label="Value" aria-rowcount={rows.length + 1}>
          <thead>
            <tr>
              <th scope="col">
                <VisuallyHidden>Row</VisuallyHidden>
              </th>
              {columns.map((column, index) => (
                <ColumnMenu
                  key={column}
                  column={column}
                  index={index}
                  onSort={direction => edit.columns.onSort(column, direction)}
                  onRename={() => setDialog({ column })}
                  onDelete={() => edit.columns.onDelete(column)}
                  onEnter={() => edit.cells.onMove({ row: -1, column: index }, 1, 0, false)}
                />
              ))}
            </tr>
          </thead>
          <tbody>
            {drawn.map(row => (
              <TableRow
                key={row}
                row={row}
                cells={rows[row]!}
                columns={columns}
                kinds={kinds}
                isFirst={row === 0}
                isLast={row === rows.length - 1}
                cellActions={edit.cells}
                rowActions={edit.rows}
              />
            ))}
          </tbody>
        </table>
        {shown.length === 0 && (
          <Text size="sm" c="dimmed" p="sm">
            {rows.length === 0
              ? 'No rows yet. Add a column, or drop a CSV file here.'
              : `No row contains “${view.filter}”.`}
          </Text>
        )}
      </div>
      <Group justify="space-between" gap="xs">
        <Group gap="xs">
          <Button
            ref={addRow}
            variant="default"
            size="compact-sm"
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => edit.rows.onInsert(rows.length)}
          >
            Add row
          </Button>
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => setDialog({ column: null })}
          >
            Add column
          </Button>
        </Group>
        <Group gap="xs">
          {pages > 1 && (
            <Tool
              label="Previous rows"
              icon={<IconChevronLeft size={16} aria-hidden />}
              isDisabled={page === 0}
              onClick={() => view.setPage(page - 1)}
            />
          )}
          <Text size="sm" c="dimmed" role="status">
            {pages > 1 &&
              `${formatNumber(view.firstDrawn + 1)}–${formatNumber(view.firstDrawn + drawn.length)} of `}
            {counted(shown.length, 'row')}
            {shown.length < rows.length && ` (${formatNumber(rows.length)} in all)`}
          </Text>
          {pages > 1 && (
            <Tool
              label="Next rows"
              icon={<IconChevronRight size={16} aria-hidden />}
              isDisabled={page === pages - 1}
              onClick={() => view.setPage(page + 1)}
            />
          )}
        </Group>
      </Group>
      <Text size="xs" c="dimmed">
        Arrow keys, Tab and Enter move between cells; Alt+Enter adds a line. To leave the table, press Escape.
      </Text>
      {dialog && (
        <ColumnDialog
          column={dialog.column}
          taken={columns}
          onClose={() => setDialog(null)}
          onSubmit={name => {
            setDialog(null)
            if (dialog.column === null) edit.columns.onAdd(name)
            else edit.columns.onRename(dialog.column, name)
          }}
        />
      )}
    </Stack>
  )
}

export default RecordTable
