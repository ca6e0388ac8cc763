import { id, line, searchParams } from '../shell/search-params.ts'

/** Maximum length of a term in the list's search field. */
export const TERM_LENGTH = 200

/** Maximum length of a JSON Pointer in the address. */
const POINTER_LENGTH = 2000

/** Validates the list's search parameters. */
export const recordSearch = searchParams({ q: line(TERM_LENGTH) })

/** A JSON Pointer to a value inside another. */
const pointer = (text: string): string | undefined =>
  text.startsWith('/') ? line(POINTER_LENGTH)(text) : undefined

/**
 * Validates the search parameters of the record editor: the initial key of a new record, if any, and its draft; and the
 * JSON Pointer of the value at which the editor opens.
 */
export const newRecordSearch = searchParams({ key: line(60), draft: id, at: pointer })
