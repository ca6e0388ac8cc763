/** What the address says of which records are shown. */
export const recordSearch = ({ q }: Record<string, unknown>): { q?: string } =>
  typeof q === 'string' && q !== '' ? { q } : {}

/** The key that a new record is to have, where the way here named one. */
export const newRecordSearch = ({ key }: Record<string, unknown>): { key?: string } =>
  typeof key === 'string' && key !== '' ? { key } : {}
