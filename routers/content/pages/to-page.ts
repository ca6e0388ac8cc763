import type { Addresses } from '../../core/addresses.ts'

/** Converts a row to the API's page object. */
export const toPage = (
  addresses: Addresses,
  space: { subdomain: string },
  row: { id: string; slug: string; kind: 'scripted' | 'static'; created_at: Date; updated_at: Date },
) => ({
  id: row.id,
  slug: row.slug,
  kind: row.kind,
  url: addresses.page(space.subdomain, row.slug),
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})
