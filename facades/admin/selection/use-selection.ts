import { useRef, useState } from 'react'

/** The selected rows of a list. */
export interface Selection<Item> {
  /** The selected items that the list shows. */
  selected: Item[]
  /** Number of items that the list shows. */
  total: number
  isSelected: (id: string) => boolean
  /**
   * Selects an item or not.
   *
   * @param isRange whether all items between this one and the last one are changed in the same way
   */
  select: (id: string, isSelected: boolean, isRange: boolean) => void
  selectAll: (isAll: boolean) => void
}

/**
 * Selects rows of a list.
 *
 * @param shown the items that the list shows, in their order
 * @param idOf returns the id of an item
 */
export const useSelection = <Item>(shown: readonly Item[], idOf: (item: Item) => string): Selection<Item> => {
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set())
  const last = useRef<string>(undefined)
  const ids = shown.map(idOf)
  const rangeTo = (id: string) => {
    const [from, to] = [ids.indexOf(last.current ?? ''), ids.indexOf(id)].toSorted((a, b) => a - b)
    return from === undefined || from === -1 || to === undefined ? [id] : ids.slice(from, to + 1)
  }
  return {
    selected: shown.filter(item => marked.has(idOf(item))),
    total: shown.length,
    isSelected: id => marked.has(id),
    select: (id, isSelected, isRange) => {
      const changed = isRange ? rangeTo(id) : [id]
      last.current = id
      setMarked(before => {
        const now = new Set(before)
        for (const one of changed)
          if (isSelected) now.add(one)
          else now.delete(one)
        return now
      })
    },
    selectAll: isAll => setMarked(new Set(isAll ? ids : [])),
  }
}
