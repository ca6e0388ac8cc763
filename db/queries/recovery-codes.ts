import type { Sql } from '../orm.ts'

/** Replaces the codes of an account. Whoever does this holds the account's lock. */
export const replaceRecoveryCodes = async (db: Sql, accountId: string, codeHashes: Buffer[], now: Date) => {
  await db.deleteFrom('recovery_codes').where('account_id', '=', accountId).execute()
  await db
    .insertInto('recovery_codes')
    .values(codeHashes.map(code_hash => ({ account_id: accountId, code_hash, created_at: now })))
    .execute()
}

/** Takes a code away; of two who use it at once, one gets it. @returns whether the account had it */
export const takeRecoveryCode = async (db: Sql, accountId: string, codeHash: Buffer): Promise<boolean> =>
  (await db
    .deleteFrom('recovery_codes')
    .where('account_id', '=', accountId)
    .where('code_hash', '=', codeHash)
    .returning('account_id')
    .executeTakeFirst()) !== undefined

/** How many codes an account has left, and when they were made. */
export const countRecoveryCodes = async (
  db: Sql,
  accountId: string,
): Promise<{ left: number; madeAt: Date | null }> => {
  const { left, made_at } = await db
    .selectFrom('recovery_codes')
    .where('account_id', '=', accountId)
    .select(eb => [eb.fn.countAll<string>().as('left'), eb.fn.min('created_at').as('made_at')])
    .executeTakeFirstOrThrow()
  return { left: Number(left), madeAt: made_at ?? null }
}
