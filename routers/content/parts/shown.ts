/** A row as callers see it. */
export const shown = (row: { id: string; name: string; created_at: Date; updated_at: Date }) => ({
  id: row.id,
  name: row.name,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})
