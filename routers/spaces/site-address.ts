import { z } from 'zod'
import { isSubdomainTaken } from '../../db/queries/spaces.ts'
import { signedIn } from '../access/signed-in.ts'
import { isReserved, newSubdomain } from './subdomain.ts'

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
