import { type Insertable, sql } from 'kysely'
import { compileOnce } from '../compile-once.ts'
import type { Sql, Tables } from '../orm.ts'

/**
 * The key with this hash, its issuer and its space, in one query. The key may have expired. A key of a person who has
 * left the space is never found, because leaving deletes it.
 */
export const findSpaceKey = compileOnce(
  (db, secretHash: Buffer) =>
    db
      .selectFrom('space_keys as key')
      .innerJoin('participants as issuer', 'issuer.id', 'key.issuer_id')
      .innerJoin('space_names as space', 'space.id', 'issuer.space_id')
      .leftJoin('icons as icon', 'icon.space_id', 'space.id')
      .where('key.secret_hash', '=', secretHash)
      .select([
        'key.id as key_id',
        eb => eb.fn.coalesce('key.first_id', 'key.id').as('first_id'),
        'key.label as label',
        'key.scopes as scopes',
        'key.expires_at as expires_at',
        'key.client_id as client_id',
        'key.resource as resource',
        'key.agent_name as agent_name',
        'issuer.account_id as account_id',
        'space.id as space_id',
        'space.subdomain as subdomain',
        'space.name as name',
        'icon.id as icon_id',
      ]),
  { isShared: true },
)

/**
 * Inserts a key.
 *
 * @throws a violation of `space_keys_issuer_id_foreign` when the issuer has left the space
 */
export const insertSpaceKey = (db: Sql, key: Insertable<Tables['space_keys']>) =>
  db.insertInto('space_keys').values(key).execute()

/**
 * A space's keys, newest first. If a key belongs to a client, the key is listed only if the client has refreshed the
 * key since `renewedSince`. If the client was registered dynamically, the key comes with the client's redirect URIs.
 */
export const listSpaceKeys = (db: Sql, spaceId: string, renewedSince: Date) =>
  db
    .selectFrom('space_keys as key')
    .innerJoin('participants as issuer', 'issuer.id', 'key.issuer_id')
    .innerJoin('accounts as account', 'account.id', 'issuer.account_id')
    .leftJoin('oauth_grants as grant', 'grant.key_id', 'key.id')
    .leftJoin('oauth_clients as client', 'client.id', 'key.client_id')
    .where('issuer.space_id', '=', spaceId)
    .where(eb => eb.or([eb('key.client_id', 'is', null), eb('grant.refreshed_at', '>=', renewedSince)]))
    .select([
      'key.id as id',
      eb => eb.fn.coalesce('key.first_id', 'key.id').as('author_id'),
      'key.label as label',
      'key.hint as hint',
      'key.scopes as scopes',
      'key.created_at as created_at',
      'key.last_used_at as last_used_at',
      'key.expires_at as expires_at',
      'key.replaced_at as replaced_at',
      'key.client_id as client_id',
      'key.agent_connected_at as agent_connected_at',
      'key.agent_name as agent_name',
      'key.agent_tools as agent_tools',
      'key.agent_problem as agent_problem',
      'key.refused_at as refused_at',
      'client.redirect_uris as redirect_uris',
      'account.handle as issuer',
    ])
    .orderBy('key.created_at', 'desc')
    .orderBy('key.id')
    .execute()

/**
 * Deletes a key.
 *
 * @returns its label, its scopes and the account of its issuer; undefined if the space has no such key
 */
export const deleteSpaceKey = (db: Sql, spaceId: string, id: string) =>
  db
    .deleteFrom('space_keys as key')
    .using('participants as issuer')
    .whereRef('issuer.id', '=', 'key.issuer_id')
    .where('issuer.space_id', '=', spaceId)
    .where('key.id', '=', id)
    .returning(['key.label', 'key.scopes', 'issuer.account_id as issuer'])
    .executeTakeFirst()

/**
 * Counts a space's working keys: current ones, and rotated ones that still work. A client's key works if it was
 * refreshed since `renewedSince`.
 */
export const countSpaceKeys = async (db: Sql, spaceId: string, now: Date, renewedSince: Date) => {
  const { rows } = await sql<{ lasting: number; replaced: number }>`
    select
      (count(*) filter (where replaced_at is null))::int as lasting,
      (count(*) filter (where replaced_at is not null))::int as replaced
    from space_keys as key left join oauth_grants as renewal on renewal.key_id = key.id
    where issuer_id in (select id from participants where space_id = ${spaceId}) and case
      when client_id is null then expires_at is null or expires_at > ${now}
      else renewal.refreshed_at >= ${renewedSince}
    end`.execute(db)
  return rows[0]!
}

/**
 * Deletes expired keys of a space. Keeps the keys of OAuth clients. Skips locked rows.
 *
 * @param kept how many expired keys to keep; the keys that expired last are kept
 */
export const deleteEndedSpaceKeys = (db: Sql, spaceId: string, now: Date, kept: number) =>
  sql`
    delete from space_keys where id in (
      select id from space_keys
      where issuer_id in (select id from participants where space_id = ${spaceId})
        and client_id is null and expires_at <= ${now}
      order by expires_at desc, id
      offset ${kept}
      for update skip locked)`.execute(db)
