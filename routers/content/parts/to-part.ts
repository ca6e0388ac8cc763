/** Converts a row to the API's part object. */
export const toPart = (row: { id: string; name: string; created_at: Date; updated_at: Date }) => ({
  id: row.id,
  name: row.name,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})
