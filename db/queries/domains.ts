import { type Insertable, sql } from 'kysely'
import { compileOnceRows } from '../compile-once.ts'
import type { Sql, Tables } from '../database.ts'

/** The columns of a domain that its checks and its participants read. */
const COLUMNS = [
  'space_id',
  'name',
  'base',
  'is_main',
  'created_at',
  'verified_at',
  'secured_at',
  'is_here',
  'failing_since',
  'checked_at',
  'seen',
  'next_check_at',
  'checks',
] as const

const selectDomains = (db: Sql) => db.selectFrom('domains').select(COLUMNS)

/** A domain of a space. */
export type DomainRow = Awaited<ReturnType<typeof listDomains>>[number]

/** The domains of a space, by name; `www.` follows the name without it. */
export const listDomains = (db: Sql, spaceId: string) =>
  selectDomains(db).where('space_id', '=', spaceId).orderBy('base').orderBy(sql`length(name)`).execute()

/** A domain of a space; undefined if the space does not have it. */
export const findDomain = (db: Sql, spaceId: string, name: string) =>
  selectDomains(db).where('space_id', '=', spaceId).where('name', '=', name).executeTakeFirst()

/** Those of these names that another space has verified. */
export const findNamesTaken = async (
  db: Sql,
  spaceId: string,
  names: readonly string[],
): Promise<string[]> => {
  if (names.length === 0) return []
  const rows = await db
    .selectFrom('domains')
    .where('name', 'in', names)
    .where('verified_at', 'is not', null)
    .where('space_id', '<>', spaceId)
    .select('name')
    .execute()
  return rows.map(({ name }) => name)
}

/** Adds domains to a space. Skips those that it has. */
export const insertDomains = (db: Sql, domains: readonly Insertable<Tables['domains']>[]) =>
  db
    .insertInto('domains')
    .values(domains)
    .onConflict(conflict => conflict.columns(['space_id', 'name']).doNothing())
    .execute()

/** Deletes a domain of a space together with its `www.` name. @returns the deleted names */
export const deleteDomains = async (db: Sql, spaceId: string, base: string): Promise<string[]> => {
  const rows = await db
    .deleteFrom('domains')
    .where('space_id', '=', spaceId)
    .where('base', '=', base)
    .returning('name')
    .execute()
  return rows.map(({ name }) => name)
}

/** Makes a domain the main one of its space; null leaves the space without one. */
export const chooseMainDomain = async (db: Sql, spaceId: string, name: string | null): Promise<void> => {
  // The earlier main domain first: an index lets a space have only one.
  await db
    .updateTable('domains')
    .set({ is_main: false })
    .where('space_id', '=', spaceId)
    .where('is_main', '=', true)
    .execute()
  if (name !== null)
    await db
      .updateTable('domains')
      .set({ is_main: true })
      .where('space_id', '=', spaceId)
      .where('name', '=', name)
      .execute()
}

/** Requests a check of a domain and its `www.` name, unless they have just been checked. */
export const requestCheck = (db: Sql, spaceId: string, base: string, now: Date, pause: number) =>
  db
    .updateTable('domains')
    .set({ next_check_at: now })
    .where('space_id', '=', spaceId)
    .where('base', '=', base)
    .where('next_check_at', '>', now)
    .where(eb =>
      eb.or([eb('checked_at', 'is', null), eb('checked_at', '<', new Date(now.getTime() - pause))]),
    )
    .execute()

/**
 * Takes domains whose check is due, so that no other process checks them before `until`. Takes turns between accounts,
 * so that nobody who has many domains, or slow ones, delays those of others: a domain belongs to the participant who has
 * been in its space the longest.
 *
 * @returns at most `limit` domains; of each account, those that have waited longest
 */
export const takeDueChecks = async (db: Sql, now: Date, until: Date, limit: number) => {
  const { rows } = await sql<{ space_id: string; name: string; subdomain: string }>`
    with turns as materialized (
      select domain.space_id, domain.name, domain.next_check_at,
        row_number() over (partition by owner.account_id order by domain.next_check_at) as turn
      from domains as domain left join lateral (
        select account_id from participants where participants.space_id = domain.space_id order by joined_at, id limit 1
      ) as owner on true
      where domain.next_check_at <= ${now}
    ), due as materialized (
      select domain.space_id, domain.name from domains as domain join turns using (space_id, name)
      where domain.next_check_at <= ${now}
      order by turns.turn, turns.next_check_at limit ${limit} for update of domain skip locked
    )
    update domains as domain set next_check_at = ${until}
    from due, space_names as space
    where domain.space_id = due.space_id and domain.name = due.name and space.id = due.space_id
    returning domain.space_id, domain.name, space.subdomain`.execute(db)
  return rows
}

/**
 * Saves the result of a check.
 *
 * @throws a violation of `domains_verified_unique` if another space has verified the name in the meantime
 */
export const saveCheck = (db: Sql, { space_id, name, seen, ...row }: Omit<DomainRow, 'base' | 'is_main'>) =>
  db
    .updateTable('domains')
    .set({ ...row, seen: sql<typeof seen>`${JSON.stringify(seen)}::jsonb` })
    .where('space_id', '=', space_id)
    .where('name', '=', name)
    .execute()

/** Deletes one name of a space. */
export const dropDomain = (db: Sql, spaceId: string, name: string) =>
  db.deleteFrom('domains').where('space_id', '=', spaceId).where('name', '=', name).execute()

/**
 * Copies the main domain of a space to the content of the space if the domain can be used. If that changes the main
 * address, raises the revision of the space. Call while holding the lock of the space.
 *
 * @param needsCertificate whether sites are served by https
 * @returns whether the main address has changed
 */
export const moveToMainDomain = async (
  db: Sql,
  spaceId: string,
  needsCertificate: boolean,
): Promise<boolean> => {
  const main = await db
    .selectFrom('domains')
    .where('space_id', '=', spaceId)
    .where('is_main', '=', true)
    .where('verified_at', 'is not', null)
    .$if(needsCertificate, query => query.where('secured_at', 'is not', null))
    .select('name')
    .executeTakeFirst()
  const host = main?.name ?? null
  const { numUpdatedRows } = await db
    .updateTable('spaces')
    .set({ main_host: host, revision: sql`revision + 1` })
    .where('id', '=', spaceId)
    .where('main_host', 'is distinct from', host)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Every verified name, with its space's subdomain. */
export const listVerifiedNames = (db: Sql) =>
  db
    .selectFrom('domains as domain')
    .innerJoin('space_names as space', 'space.id', 'domain.space_id')
    .where('domain.verified_at', 'is not', null)
    .select(['domain.name as name', 'domain.is_here as is_here', 'space.subdomain as subdomain'])
    .execute()

/** A text that differs whenever the result of {@link listVerifiedNames} does. */
export const verifiedNamesDigest = async (db: Sql): Promise<string> => (await digestRows(db))[0]!.digest

const digestRows = compileOnceRows(db => ({
  compile: () =>
    sql<{ digest: string }>`
      select concat(count(*), ' ', sum(hashtextextended(concat(name, ' ', space_id, ' ', is_here), 0))) as digest
      from domains where verified_at is not null`.compile(db),
}))

/** Tells the owners of a space that a domain was switched off; see `Notification` in `entities/social.ts`. */
export const notifySwitchedOff = (db: Sql, spaceId: string, domain: string, now: Date) =>
  sql`
    insert into notifications (account_id, kind, at, domain, space_id)
    select account_id, 'taken_down', ${now}::timestamptz, ${domain}, space_id
    from participants where space_id = ${spaceId} and role = 'owner'`.execute(db)
