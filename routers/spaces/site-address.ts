import { z } from 'zod'
import { isSubdomainTaken } from '../../db/queries/spaces.ts'
import type { Addresses } from '../api/addresses.ts'
import { patterned } from '../api/fields.ts'
import { limits } from '../api/rules.ts'
import { signedIn } from '../api/signed-in.ts'

/** The subdomain of a new space. */
export const newSubdomain = patterned(
  limits.subdomain,
  'must be 3 to 30 lowercase letters, digits and hyphens, with no hyphen at either end',
  { trim: true },
)

/** Names with a conventional meaning, and names that could be mistaken for the service's own hosts. */
const RESERVED = new Set(
  `about account accounts admin administrator api app apps assets auth autoconfig autodiscover billing blog cdn
  contact dashboard dev dns docs email files ftp help home host hostmaster imap info internal local localhost login
  logout mail mcp me media news ns ns1 ns2 oauth pages pop pop3 postmaster posts press private public register root
  secure security server settings shop sign-in sign-up signin signup site sites smtp space spaces ssl staging static
  stats status store support sysadmin system test user users web webmaster webmail wiki wpad www www1 www2`
    .trim()
    .split(/\s+/),
)

/** Whether a subdomain is reserved: it is in the list, or is a label of one of the service's own host names. */
export const isReserved = (subdomain: string, addresses: Addresses): boolean => {
  const hosts = [
    new URL(addresses.apiRoot).hostname,
    addresses.siteDomain,
    addresses.pagesDomain,
    addresses.filesDomain,
    addresses.postsDomain,
  ]
  return RESERVED.has(subdomain) || hosts.some(host => host.split(/[.:]/).includes(subdomain))
}

/** The text before and after the subdomain in a site's URL. */
export const naming = signedIn
  .input(z.strictObject({}).optional())
  .output(z.object({ before: z.string(), behind: z.string() }))
  .query(({ ctx }) => {
    const { scheme, siteDomain } = ctx.core.addresses
    return { before: `${scheme}://`, behind: `.${siteDomain}` }
  })

/** Whether a subdomain is available now; another account may still take it first. */
export const consider = signedIn
  .input(z.strictObject({ subdomain: newSubdomain }))
  .output(z.enum(['free', 'taken', 'reserved']))
  .query(async ({ ctx, input: { subdomain } }) => {
    if (isReserved(subdomain, ctx.core.addresses)) return 'reserved'
    return (await isSubdomainTaken(ctx.sql, subdomain)) ? 'taken' : 'free'
  })
