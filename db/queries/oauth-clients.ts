import { type Insertable, sql } from 'kysely'
import { advisoryLocks } from '../advisory-locks.ts'
import type { Sql, Tables } from '../orm.ts'

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
