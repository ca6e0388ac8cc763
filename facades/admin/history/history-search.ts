import { flag, id, line, matching, minute, oneOf, searchParams } from '../shell/search-params.ts'

const KINDS = ['page', 'part', 'record', 'file', 'space'] as const

export type ChangeKind = (typeof KINDS)[number]

const PERIODS = ['hour', 'today', 'week', 'between'] as const

/** A period that the filter offers. For `between`, the person chooses the start and the end. */
export type Period = (typeof PERIODS)[number]

const read = searchParams({
  kind: oneOf(KINDS),
  /** Shows only changes to this item: an id, a record's key or the name of a setting. Ignored without `kind`. */
  thing: line(60),
  /** Shows only changes by this key or person. */
  actor: id,
  when: oneOf(PERIODS),
  /** The start and end of `between` in the person's time zone. */
  from: minute,
  to: minute,
  /** Opens the dialog that undoes the changes of `actor`. */
  undo: flag,
})

export type HistorySearch = ReturnType<typeof read>

/** Validates the view's search parameters. */
export const historySearch = (search: { [Name in keyof HistorySearch]?: unknown }): HistorySearch => {
  const { kind, thing, actor, when, from, to, undo } = read(search)
  const isBetween = when === 'between'
  return {
    kind,
    thing: kind && thing,
    actor,
    when,
    from: isBetween ? from : undefined,
    to: isBetween ? to : undefined,
    undo: actor === undefined ? undefined : undo,
  }
}

const changeId = matching(/^\d{1,18}-(?:page|part|record|file|space)-.{1,70}$/)

/**
 * Validates the search parameters of a comparison: the ids of two changes, or of one change that is compared with the
 * current version.
 */
export const comparisonSearch = searchParams({ from: changeId, to: changeId })
