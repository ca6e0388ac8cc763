/** The search parameters of each view that has some. */
import { limits } from '../../routers/api/rules.ts'
import { day, flag, id, line, matching, minute, offset, oneOf, searchParams } from './ui/search-params.ts'

/** Maximum lengths of search terms. File names cannot be longer than the latter. */
export const RECORD_TERM_LENGTH = 200
export const FILE_TERM_LENGTH = 255

/** Maximum length of the text with which people search a log for a person, key or token. */
export const WHO_LENGTH = limits.quickSearch

/** The list of posts. `show` selects the posts in the list; without it, all posts are shown. */
export const postSearch = searchParams({ show: oneOf(['drafts', 'published']) })

/** A new post: its format and its draft. */
export const newPostSearch = searchParams({ format: oneOf(['markdown', 'html', 'reblog']), draft: id })

/** The names of the examples of pages. Their texts are in `pages/examples.ts`, which the first view does not load. */
export const EXAMPLE_NAMES = ['welcome', 'gallery', 'counter'] as const

export type ExampleName = (typeof EXAMPLE_NAMES)[number]

/**
 * The page editor: the draft of a new page, and the name of the example that it starts with; and the offset in the body
 * at which the editor opens.
 */
export const newPageSearch = searchParams({ draft: id, example: oneOf(EXAMPLE_NAMES), at: offset })

/** The part editor: the draft of a new part, and the offset in the body at which the editor opens. */
export const newPartSearch = searchParams({ draft: id, at: offset })

/** The list of pages. It is sorted by slug by default. */
export const pageSearch = searchParams({ sort: oneOf(['title', 'changed', 'newest']) })

/** The list of data. */
export const recordSearch = searchParams({ q: line(RECORD_TERM_LENGTH) })

/** A place in a JSON value: the JSON Pointer of a value inside it, or an offset in the stored text. */
const placeInJson = (text: string): string | undefined =>
  text.startsWith('/') ? line(2000)(text) : offset(text)

/**
 * The record editor: the initial key of a new record, if any, and its draft; and the place in the value at which the
 * editor opens.
 */
export const newRecordSearch = searchParams({ key: line(60), draft: id, at: placeInJson })

/** The list of files. The service returns the newest files first. */
export const fileSearch = searchParams({
  q: line(FILE_TERM_LENGTH),
  sort: oneOf(['changed', 'name', 'size']),
  layout: oneOf(['grid']),
})

export type FileSearch = ReturnType<typeof fileSearch>

/** Search parameters that open a dialog of the list of keys or tokens. They make links to dialogs possible. */
const dialogs = { issue: flag, rotate: id, revoke: id, usage: id }

/** The list of tokens. */
export const tokenSearch = searchParams(dialogs)

/** The list of keys, which also has the dialogs for connecting an agent and for working in a folder. */
export const keySearch = searchParams({ ...dialogs, connect: flag, computer: flag })

const events = {
  /** A part of a handle, or of the label of a key or token. */
  who: line(WHO_LENGTH),
  /** The first and the last day. */
  from: day,
  to: day,
}

/** The log of a space. */
export const spaceAuditSearch = searchParams({
  topic: oneOf(['credentials', 'participants', 'content', 'domains', 'webhooks', 'refusals']),
  ...events,
})

/** The log of an account. */
export const accountAuditSearch = searchParams({
  topic: oneOf(['sign_ins', 'credentials', 'content', 'suspensions', 'refusals']),
  ...events,
})

/** The filter of a log. */
export type AuditSearch = ReturnType<typeof spaceAuditSearch> | ReturnType<typeof accountAuditSearch>

const KINDS = ['page', 'part', 'record', 'file', 'space'] as const

export type ChangeKind = (typeof KINDS)[number]

const PERIODS = ['hour', 'today', 'week', 'between'] as const

/** A period that the filter of the history offers. For `between`, the person chooses the start and the end. */
export type Period = (typeof PERIODS)[number]

const readHistory = searchParams({
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

export type HistorySearch = ReturnType<typeof readHistory>

/** The history. */
export const historySearch = (search: { [Name in keyof HistorySearch]?: unknown }): HistorySearch => {
  const { kind, thing, actor, when, from, to, undo } = readHistory(search)
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

/** A comparison: the ids of two changes, or of one change that is compared with the current version. */
export const comparisonSearch = searchParams({ from: changeId, to: changeId })
