import { id, searchParams } from '../shell/search-params.ts'

/** Validates the search parameters of a new part: its draft. */
export const newPartSearch = searchParams({ draft: id })
