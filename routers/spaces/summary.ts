import { z } from 'zod'
import type { Addresses } from '../core/addresses.ts'

/** The fields of a space that lists show. */
export const SpaceSummary = z.object({
  subdomain: z.string(),
  name: z.string(),
  url: z.string(),
  icon_url: z.string().nullable(),
})

/** Converts a row to a `SpaceSummary`. */
export const toSummary = (
  addresses: Addresses,
  row: { subdomain: string; name: string; icon_id: string | null },
) => ({
  subdomain: row.subdomain,
  name: row.name,
  url: addresses.site(row.subdomain),
  icon_url: row.icon_id === null ? null : addresses.icon(row.icon_id),
})
