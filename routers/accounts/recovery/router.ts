import { customAlphabet } from 'nanoid'
import { z } from 'zod'
import type { Sql } from '../../../db/database.ts'
import { countRecoveryCodes, replaceRecoveryCodes } from '../../../db/queries/sign-in.ts'
import { timestamp } from '../../api/fields.ts'
import { hashSecret } from '../../api/secret.ts'
import { recentlyConfirmed, signedIn } from '../../api/signed-in.ts'
import { router } from '../../api/trpc.ts'

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

/** Letters and digits that are hard to confuse with each other, in print or handwriting. */
const ALPHABET = '346789abcdefghjkmnpqrtwxy'
/** Number of groups in a code. A code has 83 bits. Nobody can guess it, so a fast hash suffices. */
const GROUPS = 3
const GROUP_LENGTH = 6
export const RECOVERY_CODE_COUNT = 10

const group = customAlphabet(ALPHABET, GROUP_LENGTH)

/** Creates a code: groups of lowercase letters and digits, separated by hyphens. */
const newCode = () => Array.from({ length: GROUPS }, () => group()).join('-')

/** Returns the hash to store for a code, ignoring case, spaces and hyphens of any kind. */
export const hashCode = (code: string): Buffer =>
  hashSecret(code.toLowerCase().replaceAll(/[\s\p{Dash_Punctuation}]/gu, ''))

/**
 * Issues ten new recovery codes and ends the old ones. The caller holds the lock of the account.
 *
 * @returns the codes; only their hashes are stored
 */
export const issueRecoveryCodes = async (db: Sql, accountId: string): Promise<string[]> => {
  const codes = Array.from({ length: RECOVERY_CODE_COUNT }, newCode)
  await replaceRecoveryCodes(db, accountId, codes.map(hashCode), new Date())
  return codes
}
