import { Group, Text } from '@mantine/core'
import type { ReactNode, Ref } from 'react'
import classes from './Rows.module.css'
import { useClosingGaps } from './use-closing-gaps.ts'

interface RowsProps {
  label: string
  children: ReactNode
  /** For lists that get the focus after one of their rows was deleted. */
  ref?: Ref<HTMLUListElement>
}

/**
 * A list in a frame, with a line between the rows. In a `Section`, the list has no frame of its own; its rows extend to
 * the frame of the section.
 */
export const Rows = ({ label, children, ref }: RowsProps) => {
  const list = useClosingGaps(ref)
  return (
    <ul
      className={classes.rows}
      aria-label={label}
      ref={list}
      {...(ref === undefined ? {} : { tabIndex: -1 })}
    >
      {children}
    </ul>
  )
}

interface RowProps {
  icon: ReactNode
  /** Text or a link. A link to a view covers the row. */
  title: ReactNode
  /** Badges beside the title. */
  badges?: ReactNode
  /** Details below the title. */
  text?: ReactNode
  /** Action buttons. */
  children?: ReactNode
  /** A checkbox that selects the row. */
  select?: ReactNode
  isSelected?: boolean
  /** Whether the row's item no longer works, such as an expired key. */
  isPast?: boolean
}

/** One row of `Rows`. */
export const Row = ({ icon, title, badges, text, children, select, isSelected, isPast }: RowProps) => (
  <li className={classes.row} data-selected={isSelected || undefined} data-past={isPast || undefined}>
    <div className={classes.main}>
      {select && <div className={classes.select}>{select}</div>}
      <span className={classes.icon} aria-hidden>
        {icon}
      </span>
      <div className={classes.about}>
        <div className={classes.head}>
          <div className={classes.title}>{title}</div>
          {badges}
        </div>
        {text && (
          <Text size="sm" c="dimmed" component="div" className={classes.text}>
            {text}
          </Text>
        )}
      </div>
    </div>
    {children && (
      <Group gap="xs" className={classes.actions}>
        {children}
      </Group>
    )}
  </li>
)
