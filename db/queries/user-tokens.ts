import { type Insertable, sql } from 'kysely'
import { compileOnce } from '../compile-once.ts'
import type { Sql, Tables } from '../orm.ts'

export const insertUserToken = (db: Sql, token: Insertable<Tables['user_tokens']>) =>
  db.insertInto('user_tokens').values(token).execute()

/** The token with this hash and its account, in one query. The token may have expired. */
export const findUserToken = compileOnce(
  (db, secretHash: Buffer) =>
    db
      .selectFrom('user_tokens as token')
      .innerJoin('accounts as account', 'account.id', 'token.account_id')
      .where('token.secret_hash', '=', secretHash)
      .select([
        'token.id as token_id',
        'token.label as label',
        'token.scopes as scopes',
        'token.expires_at as expires_at',
        'token.client_id as client_id',
        'token.resource as resource',
        'token.agent_name as agent_name',
        'account.id as account_id',
        'account.handle as handle',
        'account.suspension_reason as suspension_reason',
      ]),
  { isShared: true },
)

/**
 * Lists an account's tokens, newest first. Leaves out the token of a client if the client last refreshed the token
 * before `renewedSince`. If a client was registered dynamically, its token comes with the client's redirect URIs.
 */
export const listUserTokens = (db: Sql, accountId: string, renewedSince: Date) =>
  db
    .selectFrom('user_tokens as token')
    .leftJoin('oauth_grants as grant', 'grant.token_id', 'token.id')
    .leftJoin('oauth_clients as client', 'client.id', 'token.client_id')
    .where('token.account_id', '=', accountId)
    .where(eb => eb.or([eb('token.client_id', 'is', null), eb('grant.refreshed_at', '>=', renewedSince)]))
    .select([
      'token.id as id',
      'token.label as label',
      'token.hint as hint',
      'token.scopes as scopes',
      'token.created_at as created_at',
      'token.last_used_at as last_used_at',
      'token.expires_at as expires_at',
      'token.replaced_at as replaced_at',
      'token.client_id as client_id',
      'client.redirect_uris as redirect_uris',
    ])
    .orderBy('token.created_at', 'desc')
    .orderBy('token.id')
    .execute()

/** Deletes a token. @returns its label and scopes; undefined if the account has no such token */
export const deleteUserToken = (db: Sql, accountId: string, id: string) =>
  db
    .deleteFrom('user_tokens')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .returning(['label', 'scopes'])
    .executeTakeFirst()

/**
 * Counts an account's working tokens: current ones, and rotated ones that still work. A client's token works if it was
 * refreshed since `renewedSince`.
 */
export const countUserTokens = async (db: Sql, accountId: string, now: Date, renewedSince: Date) => {
  const { rows } = await sql<{ lasting: number; replaced: number }>`
    select
      (count(*) filter (where replaced_at is null))::int as lasting,
      (count(*) filter (where replaced_at is not null))::int as replaced
    from user_tokens as token left join oauth_grants as renewal on renewal.token_id = token.id
    where account_id = ${accountId} and case
      when client_id is null then expires_at is null or expires_at > ${now}
      else renewal.refreshed_at >= ${renewedSince}
    end`.execute(db)
  return rows[0]!
}

/**
 * Deletes expired tokens of an account, but not the tokens of OAuth clients. Skips locked rows.
 *
 * @param kept how many expired tokens to keep: those that expired last
 */
export const deleteEndedUserTokens = (db: Sql, accountId: string, now: Date, kept: number) =>
  sql`
    delete from user_tokens where id in (
      select id from user_tokens
      where account_id = ${accountId} and client_id is null and expires_at <= ${now}
      order by expires_at desc, id
      offset ${kept}
      for update skip locked)`.execute(db)
