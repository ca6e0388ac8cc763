import { useMergedRef } from '@mantine/hooks'
import { type Ref, useLayoutEffect, useRef } from 'react'

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
