import { type Insertable, type RawBuilder, type SqlBool, sql, type Updateable } from 'kysely'
import { advisoryLocks } from '../advisory-locks.ts'
import type { Sql, Tables } from '../database.ts'

/** Makes registrations run one at a time until the end of the transaction, so that their limit is exact. */
export const lockClientRegistration = (db: Sql) =>
  sql`select pg_advisory_xact_lock(${advisoryLocks.clientRegistration})`.execute(db)

export const insertOauthClient = (db: Sql, client: Insertable<Tables['oauth_clients']>) =>
  db.insertInto('oauth_clients').values(client).execute()

export const findOauthClient = (db: Sql, id: string) =>
  db
    .selectFrom('oauth_clients')
    .where('id', '=', id)
    .select(['id', 'name', 'redirect_uris'])
    .executeTakeFirst()

/** Records that a person approved a client, so that its registration is kept. Forgets which network registered it. */
export const touchOauthClient = (db: Sql, id: string, now: Date) =>
  db.updateTable('oauth_clients').set({ approved_at: now, network: null }).where('id', '=', id).execute()

/**
 * Deletes unused registrations: those created before `neverSince` and never approved, and those last approved before
 * `lastSince` that no longer have a token or key.
 */
export const deleteIdleOauthClients = (db: Sql, neverSince: Date, lastSince: Date) =>
  db
    .deleteFrom('oauth_clients as client')
    .where(eb =>
      eb.or([
        eb.and([eb('client.approved_at', 'is', null), eb('client.created_at', '<', neverSince)]),
        eb.and([
          eb('client.approved_at', '<', lastSince),
          ...(['user_tokens', 'space_keys'] as const).map(table =>
            eb.not(eb.exists(eb.selectFrom(table).whereRef('client_id', '=', 'client.id').select('id'))),
          ),
        ]),
      ]),
    )
    .execute()

/**
 * Deletes the oldest registration that was never approved, of the network that has the most of them. So a network that
 * registers very many clients pushes out only its own.
 */
export const evictOauthClient = async (db: Sql): Promise<void> => {
  const unused = () => db.selectFrom('oauth_clients').where('approved_at', 'is', null)
  const largest = unused().select('network').groupBy('network').orderBy(sql`count(*)`, 'desc').limit(1)
  await db
    .deleteFrom('oauth_clients')
    .where(
      'id',
      'in',
      unused()
        .where(sql<boolean>`network is not distinct from (${largest})`)
        .select('id')
        .orderBy('created_at')
        .orderBy('id')
        .limit(1),
    )
    .execute()
}

/** How many registrations were never approved. */
export const countNewOauthClients = async (db: Sql): Promise<number> => {
  const { count } = await db
    .selectFrom('oauth_clients')
    .where('approved_at', 'is', null)
    .select(eb => eb.fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

export const insertOauthCode = (db: Sql, code: Insertable<Tables['oauth_codes']>) =>
  db.insertInto('oauth_codes').values(code).execute()

/** Deletes codes that expired before `since`. */
export const deleteOldOauthCodes = (db: Sql, since: Date) =>
  db.deleteFrom('oauth_codes').where('expires_at', '<', since).execute()

/** Returns a code and locks it, so that only this transaction can exchange it. */
export const lockOauthCode = (db: Sql, codeHash: Buffer) =>
  db.selectFrom('oauth_codes').where('code_hash', '=', codeHash).selectAll().forUpdate().executeTakeFirst()

/** The credential of a connected app: a user token, or a key of a space. */
export interface GrantedCredential {
  kind: 'user_token' | 'space_key'
  id: string
}

/** Marks a code as exchanged for a token or key. */
export const markOauthCodeExchanged = (db: Sql, codeHash: Buffer, granted: GrantedCredential) =>
  db.updateTable('oauth_codes').set(referenceTo(granted)).where('code_hash', '=', codeHash).execute()

const referenceTo = ({ kind, id }: GrantedCredential) =>
  kind === 'user_token' ? { token_id: id } : { key_id: id }

/** Stores the refresh state of a token or key that was just inserted. */
export const insertGrant = (
  db: Sql,
  granted: GrantedCredential,
  grant: Omit<Insertable<Tables['oauth_grants']>, 'token_id' | 'key_id'>,
) =>
  db
    .insertInto('oauth_grants')
    .values({ ...grant, ...referenceTo(granted) })
    .execute()

/**
 * Locks the credential of a grant, so that only this transaction can refresh it, and returns the grant with the
 * credential. The grant is read after the lock, so that it includes a refresh that another transaction has just
 * committed.
 */
export const lockGrant = async (db: Sql, familyHash: Buffer) => {
  const found = await db
    .selectFrom('oauth_grants')
    .where('family_hash', '=', familyHash)
    .select(['token_id', 'key_id'])
    .executeTakeFirst()
  if (!found) return undefined
  const granted: GrantedCredential =
    found.token_id === null
      ? { kind: 'space_key', id: found.key_id! }
      : { kind: 'user_token', id: found.token_id }
  const credential = await lockCredential(db, granted)
  if (!credential) return undefined
  const grant = await db
    .selectFrom('oauth_grants')
    .where('family_hash', '=', familyHash)
    .select(['refresh_hash', 'used_hash', 'salt', 'refreshed_at'])
    .executeTakeFirst()
  return grant && { ...grant, ...credential, granted }
}

const lockCredential = (db: Sql, { kind, id }: GrantedCredential) => {
  const columns = ['client_id', 'scopes', 'resource'] as const
  return kind === 'user_token'
    ? db.selectFrom('user_tokens').where('id', '=', id).select(columns).forUpdate().executeTakeFirst()
    : db.selectFrom('space_keys').where('id', '=', id).select(columns).forUpdate().executeTakeFirst()
}

/** Replaces the secrets of a grant. */
export const renewGrant = async (
  db: Sql,
  { kind, id }: GrantedCredential,
  credential: { secret_hash: Buffer; hint: string; expires_at: Date },
  grant: Updateable<Tables['oauth_grants']>,
) => {
  await (kind === 'user_token'
    ? db.updateTable('user_tokens').set(credential).where('id', '=', id)
    : db.updateTable('space_keys').set(credential).where('id', '=', id)
  ).execute()
  await db
    .updateTable('oauth_grants')
    .set(grant)
    .where(kind === 'user_token' ? 'token_id' : 'key_id', '=', id)
    .execute()
}

/** A token or key that was deleted. */
export interface EndedCredential {
  /** Null for a token. */
  space_id: string | null
  /** The account of a token, or of the issuer of a key. */
  account_id: string
  label: string
  scopes: readonly string[]
}

/** Statements that delete the credentials of connected apps. */
const grantedTokens = (db: Sql) => db.deleteFrom('user_tokens').where('client_id', 'is not', null)
const grantedKeys = (db: Sql) => db.deleteFrom('space_keys').where('client_id', 'is not', null)

/** Deletes the selected credentials of connected apps. @returns what was deleted */
const deleteGranted = (
  db: Sql,
  kind: GrantedCredential['kind'],
  selected: RawBuilder<SqlBool>,
): Promise<EndedCredential[]> =>
  kind === 'user_token'
    ? grantedTokens(db)
        .where(selected)
        .returning([sql<null>`null`.as('space_id'), 'account_id', 'label', 'scopes'])
        .execute()
    : grantedKeys(db)
        .using('participants as issuer')
        .whereRef('issuer.id', '=', 'issuer_id')
        .where(selected)
        .returning(['issuer.space_id', 'issuer.account_id', 'label', 'scopes'])
        .execute()

/** Deletes a grant, and also the token or key of the grant. @returns the deleted token or key */
export const deleteGrant = (db: Sql, { kind, id }: GrantedCredential) =>
  deleteGranted(db, kind, sql`${sql.ref(`${kind}s.id`)} = ${id}`)

/** Deletes the grant with this access token, if it belongs to this client. @returns what was deleted */
export const deleteGrantByAccessToken = (
  db: Sql,
  kind: GrantedCredential['kind'],
  clientId: string,
  secretHash: Buffer,
) => deleteGranted(db, kind, sql`secret_hash = ${secretHash} and client_id = ${clientId}`)

/**
 * Deletes the grant of a refresh token, if the grant belongs to this client.
 *
 * @param familyHash hash of the first half of the refresh token; all refresh tokens of a grant have the same first half
 * @returns what was deleted
 */
export const deleteGrantByFamily = async (db: Sql, clientId: string, familyHash: Buffer) => {
  const grant = await lockGrant(db, familyHash)
  return grant?.client_id === clientId ? deleteGrant(db, grant.granted) : []
}

/** Deletes an account's grants that were last refreshed before `since`. @returns what was deleted */
export const deleteIdleTokens = (db: Sql, accountId: string, since: Date) =>
  deleteGranted(
    db,
    'user_token',
    sql`account_id = ${accountId}
      and id in (select token_id from oauth_grants where refreshed_at < ${since} and token_id is not null)`,
  )

/** Deletes a space's grants that were last refreshed before `since`. @returns what was deleted */
export const deleteIdleKeys = (db: Sql, spaceId: string, since: Date) =>
  deleteGranted(
    db,
    'space_key',
    sql`issuer.space_id = ${spaceId}
      and space_keys.id in (select key_id from oauth_grants where refreshed_at < ${since} and key_id is not null)`,
  )

/**
 * Deletes all tokens of an account, the keys of clients that it connected to spaces, and the codes that clients could
 * still exchange.
 *
 * @returns the deleted tokens and keys
 */
export const deleteTokensOfAccount = async (db: Sql, accountId: string): Promise<EndedCredential[]> => {
  await db.deleteFrom('oauth_codes').where('account_id', '=', accountId).execute()
  const tokens = await db
    .deleteFrom('user_tokens')
    .where('account_id', '=', accountId)
    .returning([sql<null>`null`.as('space_id'), 'account_id', 'label', 'scopes'])
    .execute()
  const keys = await deleteGranted(db, 'space_key', sql`issuer.account_id = ${accountId}`)
  return [...tokens, ...keys]
}
