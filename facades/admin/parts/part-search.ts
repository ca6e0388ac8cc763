import { id, searchParams } from '../shell/search-params.ts'

/** Validates the search parameters of the view for a new part. `draft` is the id of the draft of the part. */
export const newPartSearch = searchParams({ draft: id })
