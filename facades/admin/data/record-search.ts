/** Validates the list's search parameters. */
export const recordSearch = ({ q }: Record<string, unknown>): { q?: string } =>
  typeof q === 'string' && q !== '' ? { q } : {}

/** Validates the search parameters of a new record: its initial key, if any. */
export const newRecordSearch = ({ key }: Record<string, unknown>): { key?: string } =>
  typeof key === 'string' && key !== '' ? { key } : {}
