import { draftSearch } from '../drafts/draft-place.ts'

/** Validates the list's search parameters. */
export const recordSearch = ({ q }: Record<string, unknown>): { q?: string } =>
  typeof q === 'string' && q !== '' ? { q } : {}

/** Validates the search parameters of a new record: its initial key, if any, and its draft. */
export const newRecordSearch = (search: Record<string, unknown>): { key?: string; draft?: string } => ({
  ...draftSearch(search),
  ...(typeof search.key === 'string' && search.key !== '' ? { key: search.key } : {}),
})
