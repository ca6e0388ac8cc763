import { createHash } from 'node:crypto'
import type { Addresses } from '../../api/addresses.ts'

/** The label below which the TXT record of a domain is. */
const LABEL = '_space-site'

/** The beginning of the text that proves a domain. */
export const PROOF_PREFIX = 'space-site='

/** A DNS record that the owner of a domain has to set. */
export interface DnsRecord {
  type: 'TXT' | 'CNAME' | 'A' | 'AAAA'
  name: string
  value: string
}

/** The name of the TXT record that proves a domain and its `www.` name. */
export const proofName = (base: string): string => `${LABEL}.${base}`

/**
 * The text that proves that the owner of a domain gives it to this space. It need not be secret: only the owner can put
 * it into DNS. It names the space, so the same text proves nothing for another space. Ids of spaces are never reused.
 */
export const proofText = (spaceId: string): string =>
  PROOF_PREFIX + createHash('sha256').update(`domain ${spaceId}`).digest('hex').slice(0, 32)

/** The host of the site domain, without a port. */
export const siteHost = ({ siteDomain }: Pick<Addresses, 'siteDomain'>): string =>
  siteDomain.replace(/:\d+$/, '')

/**
 * The records that lead a name to this instance. A domain that can be registered cannot be an alias, so it needs the
 * addresses; any other name is best an alias.
 *
 * @param own the addresses of this instance; empty while they are not known
 */
export const pointingRecords = (
  addresses: Addresses,
  { name, isApex }: { name: string; isApex: boolean },
  subdomain: string,
  own: readonly string[],
): DnsRecord[] =>
  isApex && own.length > 0
    ? own.map(value => ({ type: value.includes(':') ? 'AAAA' : 'A', name, value }))
    : [{ type: 'CNAME', name, value: `${subdomain}.${siteHost(addresses)}` }]
