import { Menu, UnstyledButton } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { useState } from 'react'
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
