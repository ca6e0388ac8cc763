import { z } from 'zod'
import { countRecoveryCodes } from '../../../db/queries/recovery-codes.ts'
import { recentlyConfirmed, signedIn } from '../../access/signed-in.ts'
import { timestamp } from '../../core/fields.ts'
import { router } from '../../core/trpc.ts'
import { issueRecoveryCodes } from './codes.ts'

export const recovery = router({
  /** Returns how many recovery codes are left, and when they were issued. */
  status: signedIn
    .input(z.strictObject({}).optional())
    .output(z.object({ left: z.int(), made_at: timestamp.nullable() }))
    .query(async ({ ctx }) => {
      const { left, createdAt } = await countRecoveryCodes(ctx.sql, ctx.session.accountId)
      return { left, made_at: createdAt?.toISOString() ?? null }
    }),

  /** Issues new recovery codes, returned only here; the old ones stop working. */
  renew: recentlyConfirmed
    .input(z.strictObject({}).optional())
    .output(z.object({ recovery_codes: z.array(z.string()) }))
    .mutation(({ ctx: { session, writeAccount } }) =>
      writeAccount(async sql => ({
        recovery_codes: await issueRecoveryCodes(sql, session.accountId),
      })),
    ),
})
