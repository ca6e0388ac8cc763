import type { Sql } from '../orm.ts'

/** Replaces an account's codes. The caller holds the account's lock. */
export const replaceRecoveryCodes = async (db: Sql, accountId: string, codeHashes: Buffer[], now: Date) => {
  await db.deleteFrom('recovery_codes').where('account_id', '=', accountId).execute()
  await db
    .insertInto('recovery_codes')
    .values(codeHashes.map(code_hash => ({ account_id: accountId, code_hash, created_at: now })))
    .execute()
}

/**
 * Deletes a code; of two concurrent uses, one succeeds.
 *
 * @returns whether the account had the code
 */
export const consumeRecoveryCode = async (db: Sql, accountId: string, codeHash: Buffer): Promise<boolean> =>
  (await db
    .deleteFrom('recovery_codes')
    .where('account_id', '=', accountId)
    .where('code_hash', '=', codeHash)
    .returning('account_id')
    .executeTakeFirst()) !== undefined

/** How many codes an account has left, and when they were created. */
export const countRecoveryCodes = async (
  db: Sql,
  accountId: string,
): Promise<{ left: number; createdAt: Date | null }> => {
  const { left, created_at } = await db
    .selectFrom('recovery_codes')
    .where('account_id', '=', accountId)
    .select(eb => [eb.fn.countAll<string>().as('left'), eb.fn.min('created_at').as('created_at')])
    .executeTakeFirstOrThrow()
  return { left: Number(left), createdAt: created_at ?? null }
}
