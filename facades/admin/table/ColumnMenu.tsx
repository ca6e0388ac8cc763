import { Button, Menu, Modal, NativeSelect, Stack, TextInput, UnstyledButton } from '@mantine/core'
import { IconChevronDown, IconFileImport } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { DialogActions } from '../ui/Confirm.tsx'
import { type CellKind, convertCell, kindOf } from './cell.ts'
import { placeAttribute } from './grid-focus.ts'
import css from './table.module.css'

interface ColumnMenuProps {
  column: string
  index: number
  onSort: (direction: 'ascending' | 'descending') => void
  onRename: () => void
  onDelete: () => void
  /** Called when Arrow Down is pressed. */
  onEnter: () => void
}

/** The header of a column, with its menu. */
export const ColumnMenu = ({ column, index, onSort, onRename, onDelete, onEnter }: ColumnMenuProps) => {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <th scope="col" data-open={isOpen || undefined}>
      <Menu position="bottom-start" floatingStrategy="fixed" opened={isOpen} onChange={setIsOpen}>
        <Menu.Target>
          <UnstyledButton
            {...placeAttribute({ row: -1, column: index })}
            className={css.handle}
            title={column}
            onKeyDown={event => {
              if (isOpen || event.key !== 'ArrowDown') return
              event.preventDefault()
              event.stopPropagation()
              onEnter()
            }}
          >
            <span className={css.name}>{column || '(empty key)'}</span>
            <IconChevronDown size={14} aria-hidden />
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => onSort('ascending')}>Sort rows ascending</Menu.Item>
          <Menu.Item onClick={() => onSort('descending')}>Sort rows descending</Menu.Item>
          <Menu.Item onClick={onRename}>Rename column</Menu.Item>
          <Menu.Item color="red" onClick={onDelete}>
            Delete column
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </th>
  )
}

interface ColumnDialogProps {
  /** The column to rename; null to add one. */
  column: string | null
  /** The names of all columns. */
  taken: readonly string[]
  onSubmit: (name: string) => void
  onClose: () => void
}

/** Asks for the name of a column. */
export const ColumnDialog = ({ column, taken, onSubmit, onClose }: ColumnDialogProps) => {
  const [name, setName] = useState(column ?? '')
  const [isSubmitted, setIsSubmitted] = useState(false)
  const error =
    name === ''
      ? 'Enter a name.'
      : name !== column && taken.includes(name)
        ? 'There is already a column with this name.'
        : null
  return (
    <Modal opened onClose={onClose} title={column === null ? 'Add column' : 'Rename column'} centered>
      <form
        onSubmit={event => {
          event.preventDefault()
          event.stopPropagation()
          setIsSubmitted(true)
          if (!error) onSubmit(name)
        }}
      >
        <Stack>
          <TextInput
            label="Name"
            description="The name becomes a key of every object in the list."
            value={name}
            onChange={event => setName(event.currentTarget.value)}
            error={isSubmitted && error}
            autoComplete="off"
            autoCapitalize="none"
            data-autofocus
          />
          <DialogActions onCancel={onClose} isBusy={false}>
            <Button type="submit">{column === null ? 'Add column' : 'Rename column'}</Button>
          </DialogActions>
        </Stack>
      </form>
    </Modal>
  )
}

interface CellTypeProps {
  /** The JSON of the selected cell; undefined if the object lacks the key. */
  json: string | undefined
  isDisabled: boolean
  onChange: (json: string | undefined) => void
}

const KINDS: [CellKind, string][] = [
  ['text', 'Text'],
  ['number', 'Number'],
  ['boolean', 'True or false'],
  ['null', 'Null'],
]

/** Shows and changes the type of the selected cell. Types that its value can't have are not offered. */
export const CellType = ({ json, isDisabled, onChange }: CellTypeProps) => {
  const kind = json === undefined ? 'missing' : kindOf(json)
  return (
    <NativeSelect
      size="xs"
      w="9rem"
      aria-label="Type of the selected cell"
      disabled={isDisabled}
      value={isDisabled ? '' : kind}
      onChange={({ currentTarget: { value } }) =>
        onChange(value === 'missing' ? undefined : convertCell(json, value as CellKind))
      }
    >
      {isDisabled && <option value="">Type</option>}
      {KINDS.map(([name, label]) => (
        <option key={name} value={name} disabled={kind !== name && convertCell(json, name) === undefined}>
          {label}
        </option>
      ))}
      {kind === 'nested' && <option value="nested">List or object</option>}
      <option value="missing">No value</option>
    </NativeSelect>
  )
}

interface ImportCsvProps {
  /** Whether there are rows that a file could replace. */
  hasRows: boolean
  onFile: (file: File, isReplacing: boolean) => void
}

/** Imports a CSV file. If the table has rows, first asks whether to add the file's rows or replace all rows. */
export const ImportCsv = ({ hasRows, onFile }: ImportCsvProps) => {
  const input = useRef<HTMLInputElement>(null)
  const isReplacing = useRef(false)
  const choose = (replaces: boolean) => {
    isReplacing.current = replaces
    input.current?.click()
  }
  const button = (
    <Button
      variant="default"
      size="compact-sm"
      leftSection={<IconFileImport size={16} aria-hidden />}
      {...(hasRows ? {} : { onClick: () => choose(false) })}
    >
      Import CSV
    </Button>
  )
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values"
        aria-label="CSV file"
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? []
          if (file) onFile(file, isReplacing.current)
          // Reset the file input, so that the same file can be chosen again.
          currentTarget.value = ''
        }}
      />
      {hasRows ? (
        <Menu position="bottom-start">
          <Menu.Target>{button}</Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => choose(false)}>Add rows from a file</Menu.Item>
            <Menu.Item onClick={() => choose(true)}>Replace all rows</Menu.Item>
          </Menu.Dropdown>
        </Menu>
      ) : (
        button
      )}
    </>
  )
}
