import type { Sql } from '../orm.ts'

/** The token with that hash and its account, in one query; it may have ended. */
export const findUserToken = (db: Sql, secretHash: Buffer) =>
  db
    .selectFrom('user_tokens as token')
    .innerJoin('accounts as account', 'account.id', 'token.account_id')
    .where('token.secret_hash', '=', secretHash)
    .select([
      'token.id as token_id',
      'token.scopes as scopes',
      'token.expires_at as expires_at',
      'account.id as account_id',
      'account.handle as handle',
    ])
    .executeTakeFirst()

/** The tokens of an account, newest first. */
export const listUserTokens = (db: Sql, accountId: string) =>
  db
    .selectFrom('user_tokens')
    .where('account_id', '=', accountId)
    .select(['id', 'label', 'hint', 'scopes', 'created_at', 'last_used_at', 'client_id'])
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()

/** Ends a token for good. @returns whether the account had it */
export const deleteUserToken = async (db: Sql, accountId: string, id: string): Promise<boolean> =>
  (await db
    .deleteFrom('user_tokens')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()) !== undefined
