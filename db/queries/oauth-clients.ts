import type { Insertable } from 'kysely'
import type { Sql, Tables } from '../orm.ts'

export const insertOauthClient = (db: Sql, client: Insertable<Tables['oauth_clients']>) =>
  db.insertInto('oauth_clients').values(client).execute()

export const findOauthClient = (db: Sql, id: string) =>
  db
    .selectFrom('oauth_clients')
    .where('id', '=', id)
    .select(['id', 'name', 'redirect_uris'])
    .executeTakeFirst()

/** Records that a person approved a client, so that its registration is kept. */
export const touchOauthClient = (db: Sql, id: string, now: Date) =>
  db.updateTable('oauth_clients').set({ approved_at: now }).where('id', '=', id).execute()

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

/** How many registrations were never approved. */
export const countNewOauthClients = async (db: Sql): Promise<number> => {
  const { count } = await db
    .selectFrom('oauth_clients')
    .where('approved_at', 'is', null)
    .select(eb => eb.fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}
