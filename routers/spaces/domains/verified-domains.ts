import type { Database } from '../../../db/database.ts'
import { listVerifiedNames, verifiedNamesDigest } from '../../../db/queries/domains.ts'
import type { VerifiedDomains } from '../../api/context.ts'

/**
 * Keeps the verified domains of all spaces in memory, so that a request needs no query for them, and so that known names
 * still work while the database is away. Another process's change is seen at the next `refresh`. Until then a removed
 * name only redirects, because what a site's main address is comes from the row of the space.
 */
export const verifiedDomains = (database: Database): VerifiedDomains => {
  let names = new Map<string, { subdomain: string; isHere: boolean }>()
  let digest: string | undefined
  let reading: Promise<void> = Promise.resolve()

  const read = async () => {
    // Read the digest first: a change between the two queries is then read again.
    const current = await verifiedNamesDigest(database)
    if (current === digest) return
    const rows = await listVerifiedNames(database)
    names = new Map(rows.map(({ name, subdomain, is_here }) => [name, { subdomain, isHere: is_here }]))
    digest = current
  }

  return {
    subdomainOf: host => names.get(host)?.subdomain,
    mayHaveCertificate: host => names.get(host)?.isHere ?? false,
    refresh: () => {
      // One after another, so that an earlier result never replaces a later one.
      reading = reading.catch(() => {}).then(read)
      return reading
    },
  }
}
