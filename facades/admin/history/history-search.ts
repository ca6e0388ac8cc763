const KINDS = ['page', 'part', 'record', 'file', 'space'] as const

export type ChangeKind = (typeof KINDS)[number]

const PERIODS = ['hour', 'today', 'week', 'between'] as const

/** A period that the filter offers. For `between`, the person chooses the start and the end. */
export type Period = (typeof PERIODS)[number]

export interface HistorySearch {
  kind?: ChangeKind
  /** Shows only the changes of this item, whose kind is in `kind`. */
  thing?: string
  /** Shows only changes by this key or person. */
  actor?: string
  when?: Period
  /** The start and end of `between` in the person's time zone, such as `2026-11-23T14:05`. */
  from?: string
  to?: string
  /** Opens the dialog that undoes the changes of `actor`. */
  undo?: true
}

/** Whether a text is a date and time in the format of `datetime-local` fields. */
export const isLocalTime = (value: unknown): value is string =>
  typeof value === 'string' &&
  /^(19[7-9]|[2-9]\d\d)\d-\d\d-\d\dT\d\d:\d\d$/.test(value) &&
  Number.isFinite(Date.parse(value))

/** Validates the view's search parameters. */
export const historySearch = ({
  kind,
  thing,
  actor,
  when,
  from,
  to,
  undo,
}: Record<string, unknown>): HistorySearch => {
  const known = KINDS.find(name => name === kind)
  const period = PERIODS.find(name => name === when)
  // The router parses a record's key or an id that consists of digits as a number.
  const textOf = (value: unknown) => (typeof value === 'number' ? String(value) : value)
  const [item, author] = [textOf(thing), textOf(actor)]
  const hasAuthor = typeof author === 'string' && author !== ''
  return {
    ...(known ? { kind: known } : {}),
    ...(known && typeof item === 'string' && item !== '' ? { thing: item } : {}),
    ...(hasAuthor ? { actor: author } : {}),
    ...(period ? { when: period } : {}),
    ...(period === 'between' && isLocalTime(from) ? { from } : {}),
    ...(period === 'between' && isLocalTime(to) ? { to } : {}),
    ...(hasAuthor && undo === true ? { undo } : {}),
  }
}

/**
 * Validates the search parameters of a comparison: the ids of two changes, or of one change that is compared with the
 * current version.
 */
export const comparisonSearch = ({ from, to }: Record<string, unknown>): { from: string; to?: string } => ({
  from: typeof from === 'string' ? from : '',
  ...(typeof to === 'string' && to !== '' ? { to } : {}),
})
