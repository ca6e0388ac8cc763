import { Group, Text } from '@mantine/core'
import { useMergedRef } from '@mantine/hooks'
import { type ReactNode, type Ref, useLayoutEffect, useRef } from 'react'
import { useIsMarked } from '../live/changes.ts'
import classes from './Rows.module.css'

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
  icon?: ReactNode
  /** A picture in place of the icon. */
  picture?: ReactNode
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
  /** The item of the space that the row shows; the row is marked for a moment when someone else changes it. */
  item?: Parameters<typeof useIsMarked>[0]
}

/** One row of `Rows`. */
export const Row = ({
  icon,
  picture,
  title,
  badges,
  text,
  children,
  select,
  isSelected,
  isPast,
  item,
}: RowProps) => (
  <li
    className={classes.row}
    data-selected={isSelected || undefined}
    data-past={isPast || undefined}
    data-changed={useIsMarked(item) || undefined}
  >
    <div className={classes.main}>
      {select && <div className={classes.select}>{select}</div>}
      {picture ? (
        <div className={classes.picture}>{picture}</div>
      ) : (
        <span className={classes.icon} aria-hidden>
          {icon}
        </span>
      )}
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

/** How long rows take to close the gap that a deleted row leaves, in ms. */
const DURATION = 160

const prefersLessMotion = () => matchMedia('(prefers-reduced-motion: reduce)').matches

/**
 * Animates the rows of a list to their new places after one of them was deleted, so that the eye can follow. The layout
 * changes at once; only the appearance of the rows is animated.
 *
 * @param ref the caller's own ref, if the caller also needs the list
 * @returns the ref to set on the list; it also sets the caller's ref
 */
export const useClosingGaps = <List extends HTMLElement>(ref: Ref<List> | undefined) => {
  const list = useRef<List>(null)
  const places = useRef(new Map<Element, number>())
  useLayoutEffect(() => {
    const rows = Array.from(list.current?.children ?? []) as HTMLElement[]
    const before = places.current
    places.current = new Map(rows.map(row => [row, row.offsetTop]))
    // Animate only if exactly one row is gone: a search usually removes several, or shows different ones.
    const hasLostOne = before.size === rows.length + 1 && rows.every(row => before.has(row))
    if (!hasLostOne || prefersLessMotion()) return
    for (const row of rows) {
      const distance = before.get(row)! - row.offsetTop
      if (distance > 0)
        row.animate([{ transform: `translateY(${distance}px)` }, { transform: 'none' }], {
          duration: DURATION,
          easing: 'ease-out',
        })
    }
  })
  return useMergedRef(list, ref)
}
