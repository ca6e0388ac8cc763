import type { RecordPath } from './record-text.ts'

/** An item of a list in a record. */
export interface ListItem {
  list: RecordPath
  index: number
}

export type ListEdit = 'add' | 'remove' | 'up' | 'down'

/** The innermost list that a place in a record is in. */
export const listItemOf = (record: RecordPath): ListItem | undefined => {
  const at = record.findLastIndex(step => typeof step === 'number')
  return at < 1 ? undefined : { list: record.slice(0, at) as RecordPath, index: record[at] as number }
}

/** The index of an item after an edit. A removed item is followed by the next one, an added one by itself. */
export const indexAfter = (edit: ListEdit, index: number): number =>
  edit === 'up' ? index - 1 : edit === 'down' || edit === 'add' ? index + 1 : index

/** Applies an edit; undefined if the list has no such item, or no place to move it to. A new item is a copy. */
export const editList = (list: readonly unknown[], edit: ListEdit, index: number): unknown[] | undefined => {
  if (index >= list.length) return undefined
  if (edit === 'add') return list.toSpliced(index + 1, 0, structuredClone(list[index]))
  const rest = list.toSpliced(index, 1)
  const to = indexAfter(edit, index)
  if (edit === 'remove') return rest
  return to < 0 || to >= list.length ? undefined : rest.toSpliced(to, 0, list[index])
}
