const KINDS = ['page', 'part', 'record', 'file', 'space'] as const

export type ChangeKind = (typeof KINDS)[number]

/** The kinds of items that the history covers, as the filter names them. */
export const KIND_LABELS: Record<ChangeKind, string> = {
  page: 'Pages',
  part: 'Parts',
  record: 'Data',
  file: 'Files',
  space: 'Settings',
}

export interface HistorySearch {
  kind?: ChangeKind
  /** Shows only the changes of this item, whose kind is in `kind`. */
  thing?: string
  /** Shows only changes by this key or person. */
  actor?: string
}

/** Validates the view's search parameters. */
export const historySearch = ({ kind, thing, actor }: Record<string, unknown>): HistorySearch => {
  const known = KINDS.find(name => name === kind)
  return {
    ...(known ? { kind: known } : {}),
    // The router parses a record's key that consists of digits as a number.
    ...(known && (typeof thing === 'string' || typeof thing === 'number') && thing !== ''
      ? { thing: String(thing) }
      : {}),
    ...(typeof actor === 'string' && actor !== '' ? { actor } : {}),
  }
}
