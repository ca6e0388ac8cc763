import { id, offset, searchParams } from '../shell/search-params.ts'

/**
 * Validates the search parameters of the part editor: the draft of a new part, and the offset in the body at which the
 * editor opens.
 */
export const newPartSearch = searchParams({ draft: id, at: offset })
