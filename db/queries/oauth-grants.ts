import type { Insertable, Updateable } from 'kysely'
import type { Sql, Tables } from '../orm.ts'

export const insertOauthCode = (db: Sql, code: Insertable<Tables['oauth_codes']>) =>
  db.insertInto('oauth_codes').values(code).execute()

/** Deletes codes that expired before `since`. */
export const deleteOldOauthCodes = (db: Sql, since: Date) =>
  db.deleteFrom('oauth_codes').where('expires_at', '<', since).execute()

/** Returns a code and locks it, so that only this transaction can exchange it. */
export const lockOauthCode = (db: Sql, codeHash: Buffer) =>
  db.selectFrom('oauth_codes').where('code_hash', '=', codeHash).selectAll().forUpdate().executeTakeFirst()

/** Marks a code as exchanged for a token. */
export const markOauthCodeExchanged = (db: Sql, codeHash: Buffer, tokenId: string) =>
  db.updateTable('oauth_codes').set({ token_id: tokenId }).where('code_hash', '=', codeHash).execute()

export const insertGrantedToken = async (
  db: Sql,
  token: Insertable<Tables['user_tokens']>,
  grant: Insertable<Tables['oauth_grants']>,
) => {
  await db.insertInto('user_tokens').values(token).execute()
  await db.insertInto('oauth_grants').values(grant).execute()
}

/**
 * Returns the grant with its token and locks both, so that only this transaction can refresh the token. The token's row
 * is locked before the grant is read, so that the grant includes a refresh by another transaction.
 */
export const lockGrant = async (db: Sql, familyHash: Buffer) => {
  const found = await db
    .selectFrom('oauth_grants')
    .where('family_hash', '=', familyHash)
    .select('token_id')
    .executeTakeFirst()
  if (!found) return undefined
  const token = await db
    .selectFrom('user_tokens')
    .where('id', '=', found.token_id)
    .select(['id', 'client_id', 'scopes'])
    .forUpdate()
    .executeTakeFirst()
  if (!token) return undefined
  const grant = await db
    .selectFrom('oauth_grants')
    .where('token_id', '=', token.id)
    .selectAll()
    .executeTakeFirst()
  return grant && { ...grant, client_id: token.client_id, scopes: token.scopes }
}

/** Replaces the secrets of a grant. */
export const renewGrant = async (
  db: Sql,
  tokenId: string,
  token: Updateable<Tables['user_tokens']>,
  grant: Updateable<Tables['oauth_grants']>,
) => {
  await db.updateTable('user_tokens').set(token).where('id', '=', tokenId).execute()
  await db.updateTable('oauth_grants').set(grant).where('token_id', '=', tokenId).execute()
}

/** Deletes a grant with its token. */
export const deleteGrant = (db: Sql, tokenId: string) =>
  db.deleteFrom('user_tokens').where('id', '=', tokenId).where('client_id', 'is not', null).execute()

/** Deletes the grant with this access token, if it belongs to this client. */
export const deleteGrantByToken = (db: Sql, clientId: string, secretHash: Buffer) =>
  db
    .deleteFrom('user_tokens')
    .where('secret_hash', '=', secretHash)
    .where('client_id', '=', clientId)
    .execute()

/** Deletes the grant with this fixed half of a refresh token, if it belongs to this client. */
export const deleteGrantByFamily = (db: Sql, clientId: string, familyHash: Buffer) =>
  db
    .deleteFrom('user_tokens')
    .where('id', '=', eb =>
      eb.selectFrom('oauth_grants').where('family_hash', '=', familyHash).select('token_id'),
    )
    .where('client_id', '=', clientId)
    .execute()

/** Deletes an account's grants that were last refreshed before `since`. */
export const deleteIdleGrants = (db: Sql, accountId: string, since: Date) =>
  db
    .deleteFrom('user_tokens')
    .where('account_id', '=', accountId)
    .where('id', 'in', eb =>
      eb.selectFrom('oauth_grants').where('refreshed_at', '<', since).select('token_id'),
    )
    .execute()
