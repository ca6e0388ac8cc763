import { draftSearch } from '../drafts/draft-place.ts'

interface NewPage {
  /** Identifies the draft. */
  draft?: string
  /** Name of the example that a new page starts with. */
  example?: string
}

/** Validates the search parameters of a new page. */
export const newPageSearch = (search: Record<string, unknown>): NewPage => ({
  ...draftSearch(search),
  ...(typeof search.example === 'string' ? { example: search.example } : {}),
})
