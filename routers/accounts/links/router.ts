import { z } from 'zod'
import { findSignInLink } from '../../../db/queries/sign-in.ts'
import { countClient } from '../../api/attempt-limits.ts'
import { Problem } from '../../api/problem.ts'
import { hashSecret, linkToken } from '../../api/secret.ts'
import { procedure, router } from '../../api/trpc.ts'

export const links = router({
  /**
   * Returns the purpose of a link without using it up. Although this changes nothing, it is a mutation,
   * because the input of a query is part of the URL, and URLs are logged.
   */
  look: procedure
    .input(z.strictObject({ token: linkToken }))
    .output(z.object({ purpose: z.enum(['sign_in', 'reset', 'set_up']), handle: z.string().nullable() }))
    .mutation(async ({ ctx, input }) => {
      await countClient(ctx)
      const link = await findSignInLink(ctx.core.database, hashSecret(input.token), new Date())
      if (!link) throw new Problem('link_not_found')
      return { purpose: link.purpose, handle: link.handle }
    }),
})
