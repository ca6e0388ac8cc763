import { z } from 'zod'
import type { DomainRow } from '../../../db/queries/domains.ts'
import type { Addresses } from '../../api/addresses.ts'
import { timestamp } from '../../api/fields.ts'
import { limits } from '../../api/rules.ts'
import { shownName } from './domain-name.ts'
import { pointingRecords, proofName, proofText } from './records.ts'

const DnsRecord = z.object({
  type: z.enum(['TXT', 'CNAME', 'A', 'AAAA']),
  name: z.string(),
  value: z.string(),
})

export const Domain = z.object({
  name: z.string().meta({ description: 'The name as DNS writes it' }),
  shown_name: z
    .string()
    .nullable()
    .meta({ description: 'The name as people read it, if that differs; it can look like another name' }),
  base: z
    .string()
    .meta({ description: 'The name without www.; both are added, proved and removed together' }),
  state: z.enum(['pending', 'verified', 'ready', 'main']).meta({
    description:
      'pending: not proved yet, or does not lead here; verified: proved, but without a certificate; ready: redirects to the main address; main: the main address of the site',
  }),
  is_chosen: z
    .boolean()
    .meta({ description: 'Whether the site moves to this name as soon as the name can be used' }),
  url: z.string(),
  records: z.array(DnsRecord).meta({ description: 'The DNS records to set' }),
  is_proved: z.boolean().meta({ description: 'Whether the last check saw the TXT record' }),
  is_here: z.boolean().meta({ description: 'Whether the name leads to this service, as the last check saw' }),
  has_certificate: z.boolean().nullable().meta({ description: 'null if sites are served without https' }),
  is_taken: z.boolean().meta({ description: 'Whether another space has verified this name' }),
  seen: z
    .object({
      addresses: z.array(z.string()),
      alias: z.string().nullable(),
      other_proofs: z.int(),
      certificate_error: z.string().nullable(),
    })
    .nullable()
    .meta({ description: 'What the last check saw in DNS; null before the first check' }),
  checked_at: timestamp.nullable(),
  next_check_at: timestamp,
  ends_at: timestamp.nullable().meta({
    description: 'When the name is dropped or switched off if nothing changes; null if all is well',
  }),
})

/**
 * Converts a row to what callers get.
 *
 * @param about `isApex`: whether the name can be registered; `isTaken`: whether another space has verified it
 */
export const toDomain = (
  addresses: Addresses,
  { id, subdomain }: { id: string; subdomain: string },
  row: DomainRow,
  { isApex, isTaken }: { isApex: boolean; isTaken: boolean },
): z.input<typeof Domain> => {
  const isSecure = addresses.scheme === 'https'
  const isVerified = row.verified_at !== null
  const isUsable = isVerified && (!isSecure || row.secured_at !== null)
  const since = isVerified ? row.failing_since : row.created_at
  return {
    name: row.name,
    shown_name: shownName(row.name),
    base: row.base,
    state: isUsable ? (row.is_main ? 'main' : 'ready') : isVerified ? 'verified' : 'pending',
    is_chosen: row.is_main,
    url: addresses.host(row.name),
    records: [
      { type: 'TXT', name: proofName(row.base), value: proofText(id) },
      ...pointingRecords(addresses, { name: row.name, isApex }, subdomain, row.seen?.own ?? []),
    ],
    is_proved: row.seen?.isProved ?? false,
    is_here: row.is_here,
    has_certificate: isSecure ? row.secured_at !== null : null,
    is_taken: isTaken,
    seen: row.seen && {
      addresses: row.seen.addresses,
      alias: row.seen.alias,
      other_proofs: row.seen.otherTexts,
      certificate_error: row.seen.certificateError,
    },
    checked_at: row.checked_at?.toISOString() ?? null,
    next_check_at: row.next_check_at.toISOString(),
    ends_at: since && new Date(since.getTime() + limits.domainDays * 24 * 60 * 60_000).toISOString(),
  }
}
