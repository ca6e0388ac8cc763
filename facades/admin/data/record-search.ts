import { id, line, searchParams } from '../shell/search-params.ts'

/** Maximum length of a term in the list's search field. */
export const TERM_LENGTH = 200

/** Validates the list's search parameters. */
export const recordSearch = searchParams({ q: line(TERM_LENGTH) })

/** Validates the search parameters of a new record: its initial key, if any, and its draft. */
export const newRecordSearch = searchParams({ key: line(60), draft: id })
