import { type Insertable, type RawBuilder, sql } from 'kysely'
import { compileOnce } from '../compile-once.ts'
import type { Sql, Tables } from '../database.ts'

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

const ROTATED = ['label', 'scopes', 'created_at', 'expires_at', 'replaced_at'] as const

/** Returns a key of the space with the fields that its rotation needs. Never returns the key of an OAuth client. */
export const findKeyToRotate = (db: Sql, spaceId: string, id: string) =>
  db
    .selectFrom('space_keys')
    .where('id', '=', id)
    .where('client_id', 'is', null)
    .where('issuer_id', 'in', eb =>
      eb.selectFrom('participants').where('space_id', '=', spaceId).select('id'),
    )
    .select(ROTATED)
    .select(eb => eb.fn.coalesce('first_id', 'id').as('first_id'))
    .executeTakeFirst()

/** Marks a key as replaced and sets its expiry. */
export const replaceSpaceKey = (db: Sql, id: string, replacedAt: Date, expiresAt: Date) =>
  db
    .updateTable('space_keys')
    .set({ replaced_at: replacedAt, expires_at: expiresAt })
    .where('id', '=', id)
    .execute()

/** Returns an account's token with the fields that its rotation needs. Never returns the token of an OAuth client. */
export const findTokenToRotate = (db: Sql, accountId: string, id: string) =>
  db
    .selectFrom('user_tokens')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .where('client_id', 'is', null)
    .select(ROTATED)
    .executeTakeFirst()

/** Marks a token as replaced and sets its expiry. */
export const replaceUserToken = (db: Sql, id: string, replacedAt: Date, expiresAt: Date) =>
  db
    .updateTable('user_tokens')
    .set({ replaced_at: replacedAt, expires_at: expiresAt })
    .where('id', '=', id)
    .execute()

/** Information about an agent that used a key at a tool server. */
export interface Agent {
  /** The name that the agent gave itself; null if it gave none. */
  name: string | null
  /** Number of tools that the tool server offered to the agent. */
  tools: number
  /**
   * Error code if the request was refused because of its scopes, a rate limit or its origin; null if it succeeded or
   * failed for another reason.
   */
  problem: string | null
  /** Whether the agent connects with this request. */
  isConnecting: boolean
}

/** A use of a key or token. */
export interface CredentialUse {
  id: string
  at: Date
  /** Null if no agent used it, only other programs. */
  agent: Agent | null
}

/**
 * For each table, the columns to update when a key or token is used. A token stores only the name of the agent that
 * used the token. A key stores more about the agent. A stored name is kept until an agent sends another name.
 *
 * Each table is updated by one statement. Both statements get the uses of keys and of tokens. Each statement skips the
 * ids that are not in its table.
 */
const CHANGES: Record<string, RawBuilder<unknown>> = {
  space_keys: sql`
    last_used_at = used.at,
    used_by_agent = credential.used_by_agent or used.is_by_agent,
    agent_connected_at = case
      when used.is_connecting or (used.is_by_agent and credential.agent_connected_at is null) then used.at
      else credential.agent_connected_at
    end,
    agent_name = coalesce(used.name, credential.agent_name),
    agent_tools = coalesce(used.tools, credential.agent_tools),
    agent_problem = case when used.is_by_agent then used.problem else credential.agent_problem end`,
  user_tokens: sql`
    last_used_at = used.at,
    agent_name = coalesce(used.name, credential.agent_name)`,
}

/** Stores when keys and tokens were last used, with one statement per table. */
export const recordCredentialUses = async (db: Sql, uses: readonly CredentialUse[]) => {
  const rows = uses.map(
    ({ id, at, agent }) => sql`(${id}::text, ${at}::timestamptz, ${agent !== null}::boolean,
      ${agent?.name ?? null}::text, ${agent?.tools ?? null}::smallint, ${agent?.problem ?? null}::text,
      ${agent?.isConnecting === true}::boolean)`,
  )
  for (const [table, changes] of Object.entries(CHANGES))
    await sql`
      update ${sql.table(table)} as credential set ${changes}
      from (values ${sql.join(rows)}) as used (id, at, is_by_agent, name, tools, problem, is_connecting)
      where credential.id = used.id`.execute(db)
}

/**
 * Sets `refused_at` of the keys that have one of these hints. Skips the keys of connected apps, because connected apps
 * often send expired secrets.
 *
 * @param hints the first characters of secrets that tool servers refused
 */
export const recordRefusals = (db: Sql, hints: readonly string[], at: Date) =>
  db
    .updateTable('space_keys')
    .set({ refused_at: at })
    .where('hint', 'in', hints)
    .where('client_id', 'is', null)
    .execute()
