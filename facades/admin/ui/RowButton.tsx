import { ActionIcon, Tooltip } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'

/** Look of the buttons and button links in rows. */
export const rowButton = { variant: 'default', size: 'xs' } as const

/** Look of a button or button link in a row if its action can't be undone. */
export const rowDanger = { ...rowButton, c: 'var(--mantine-color-error)' } as const

/** Look of the icon buttons in rows. */
export const rowIcon = { variant: 'subtle', color: 'gray', size: 'lg' } as const

interface RowIconButtonProps {
  /** The tooltip. */
  label: string
  /** The button's accessible name, which also names the item of the row. */
  name?: string
  icon: ReactNode
  loading?: boolean
  onClick: () => void
}

/** An icon button with a tooltip, for use in a row. */
export const RowIconButton = ({
  label,
  name = label,
  icon,
  loading = false,
  onClick,
}: RowIconButtonProps) => (
  <Tooltip label={label}>
    <ActionIcon {...rowIcon} aria-label={name} loading={loading} onClick={onClick}>
      {icon}
    </ActionIcon>
  </Tooltip>
)

/**
 * The button that deletes the item of a row.
 *
 * @param what text that names the item for screen readers
 */
export const RowDeleteButton = ({ what, onClick }: { what: string; onClick: () => void }) => (
  <RowIconButton
    label="Delete"
    name={`Delete ${what}`}
    icon={<IconTrash size={18} aria-hidden />}
    onClick={onClick}
  />
)
