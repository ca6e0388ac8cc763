import { sql } from 'kysely'
import { compileOnceRows } from '../compile-once.ts'
import type { Sql, Tables } from '../database.ts'

/** What is counted by name: pages that were read, hosts of sources, paths that were not found, pages that failed. */
export type VisitKind = Tables['visit_counts']['kind']

/** What one process has counted for a space on one day since its last write. */
export interface CountedVisits {
  spaceId: string
  /** The day of UTC, such as `2026-11-27`. */
  day: string
  views: number
  notFound: number
  failed: number
  names: readonly { kind: VisitKind; name: string; count: number }[]
  hours: readonly { hour: Date; views: number }[]
  /** Hashes of visitors, spread evenly from 0 to 2^63. */
  visitors: readonly bigint[]
}

/** How much is kept for each space and day. */
interface VisitLimits {
  /** Visitors that are counted exactly. */
  visitors: number
  /** Names of each kind. */
  names: number
}

/**
 * Locks the spaces, of those given, that still exist and whose visits are counted, so that they are not deleted during
 * the transaction.
 *
 * @returns their ids
 */
export const lockCountedSpaces = async (db: Sql, spaceIds: readonly string[]): Promise<Set<string>> => {
  const { rows } = await sql<{ id: string }>`
    select id from space_names where id = any(${spaceIds}::text[]) and counts_visits
    order by id for key share`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/**
 * Adds the visits that a process has counted. Call it in a transaction, after {@link lockCountedSpaces}. The rows of the
 * days are written first, and in a fixed order: they are the lock under which the rest of a day is written.
 */
export const addVisits = async (
  db: Sql,
  batch: readonly CountedVisits[],
  limits: VisitLimits,
): Promise<void> => {
  await addDays(db, batch)
  await addHours(db, batch)
  await addNames(db, batch, limits.names)
  await addVisitors(db, batch, limits.visitors)
}

const addDays = (db: Sql, batch: readonly CountedVisits[]) =>
  sql`
    insert into visit_days (space_id, day, views, visitors, is_estimate, not_found, failed)
    select space_id, day, views, 0, false, not_found, failed
    from unnest(${batch.map(({ spaceId }) => spaceId)}::text[], ${batch.map(({ day }) => day)}::date[],
      ${batch.map(({ views }) => views)}::int[], ${batch.map(({ notFound }) => notFound)}::int[],
      ${batch.map(({ failed }) => failed)}::int[]) as given (space_id, day, views, not_found, failed)
    order by space_id, day
    on conflict (space_id, day) do update set views = visit_days.views + excluded.views,
      not_found = visit_days.not_found + excluded.not_found, failed = visit_days.failed + excluded.failed`.execute(
    db,
  )

const addHours = (db: Sql, batch: readonly CountedVisits[]) => {
  const rows = batch.flatMap(({ spaceId, hours }) => hours.map(hour => ({ spaceId, ...hour })))
  return sql`
    insert into visit_hours (space_id, hour, views)
    select * from unnest(${rows.map(({ spaceId }) => spaceId)}::text[],
      ${rows.map(({ hour }) => hour)}::timestamptz[], ${rows.map(({ views }) => views)}::int[])
    on conflict (space_id, hour) do update set views = visit_hours.views + excluded.views`.execute(db)
}

/**
 * Adds counts by name. If a day then has too many names of a kind, the rarest are added to the name `''` instead, first
 * those that are not in this batch: someone who sends many made-up names cannot keep others out.
 */
const addNames = async (db: Sql, batch: readonly CountedVisits[], max: number): Promise<void> => {
  const rows = batch.flatMap(({ spaceId, day, names }) => names.map(name => ({ spaceId, day, ...name })))
  if (rows.length === 0) return
  const given = sql`unnest(${rows.map(({ spaceId }) => spaceId)}::text[], ${rows.map(({ day }) => day)}::date[],
    ${rows.map(({ kind }) => kind)}::text[], ${rows.map(({ name }) => name)}::text[],
    ${rows.map(({ count }) => count)}::int[]) as given (space_id, day, kind, name, count)`
  await sql`
    insert into visit_counts (space_id, day, kind, name, count)
    select * from ${given}
    on conflict (space_id, day, kind, name) do update set count = visit_counts.count + excluded.count`.execute(
    db,
  )
  await sql`
    with given as (select * from ${given}), ranked as (
      select held.space_id, held.day, held.kind, held.name, row_number() over (
        partition by held.space_id, held.day, held.kind
        order by held.count desc, given.name is null, held.name) as place
      from (select distinct space_id, day, kind from given) as touched
      join visit_counts as held using (space_id, day, kind)
      left join given using (space_id, day, kind, name)
      where held.name <> ''
    ), excess as (
      delete from visit_counts as held using ranked
      where ranked.place > ${max} and held.space_id = ranked.space_id and held.day = ranked.day
        and held.kind = ranked.kind and held.name = ranked.name
      returning held.space_id, held.day, held.kind, held.count
    )
    insert into visit_counts (space_id, day, kind, name, count)
    select space_id, day, kind, '', sum(count) from excess group by space_id, day, kind
    on conflict (space_id, day, kind, name) do update set count = visit_counts.count + excluded.count`.execute(
    db,
  )
}

/** Counts the visitors who were not counted before on the same day. Beyond `max`, their number is estimated. */
const addVisitors = async (db: Sql, batch: readonly CountedVisits[], max: number): Promise<void> => {
  const rows = batch.flatMap(({ spaceId, day, visitors }) => visitors.map(hash => ({ spaceId, day, hash })))
  if (rows.length === 0) return
  const { rows: grown } = await sql<{ space_id: string; day: string }>`
    with added as (
      insert into visitor_hashes (space_id, day, hash)
      select * from unnest(${rows.map(({ spaceId }) => spaceId)}::text[], ${rows.map(({ day }) => day)}::date[],
        ${rows.map(({ hash }) => String(hash))}::bigint[])
      on conflict do nothing
      returning space_id, day
    )
    update visit_days as held set visitors = held.visitors + added.count
    from (select space_id, day, count(*)::int as count from added group by space_id, day) as added
    where held.space_id = added.space_id and held.day = added.day
    returning held.space_id, case when held.is_estimate or held.visitors > ${max} then held.day::text end as day`.execute(
    db,
  )
  for (const { space_id, day } of grown) if (day !== null) await estimateVisitors(db, space_id, day, max)
}

/**
 * Keeps only the smallest hashes of a day, and estimates the number of visitors from the largest of them: the more
 * visitors there are, the smaller it is. With 20,000 hashes, the standard error is 0.7 %.
 */
const estimateVisitors = (db: Sql, spaceId: string, day: string, max: number) =>
  sql`
    with last as (
      select hash from visitor_hashes where space_id = ${spaceId} and day = ${day}::date
      order by hash offset ${max - 1} limit 1
    ), trimmed as (
      delete from visitor_hashes
      where space_id = ${spaceId} and day = ${day}::date and hash > (select hash from last)
    )
    update visit_days set is_estimate = true,
      visitors = greatest(${max}, round(${max - 1} / (last.hash / 9223372036854775808.0)))::int
    from last where space_id = ${spaceId} and day = ${day}::date`.execute(db)

/** Returns the salt of a day, which all processes share. The first process creates it. */
export const saltOf = async (db: Sql, day: string, created: Buffer): Promise<Buffer> => {
  await sql`insert into visit_salts (day, salt) values (${day}::date, ${created}) on conflict do nothing`.execute(
    db,
  )
  const { rows } = await sql<{
    salt: Buffer
  }>`select salt from visit_salts where day = ${day}::date`.execute(db)
  return rows[0]!.salt
}

/** Deletes the salts of earlier days. Without them, nobody can tell whose the hashes of these days are. */
export const deleteSalts = (db: Sql, before: string) =>
  sql`delete from visit_salts where day < ${before}::date`.execute(db)

/** Deletes hashes of earlier days. @returns how many were deleted, at most `limit` */
export const deleteVisitors = async (db: Sql, before: string, limit: number): Promise<number> => {
  const { numAffectedRows } = await sql`
    delete from visitor_hashes where (space_id, day, hash) in (
      select space_id, day, hash from visitor_hashes where day < ${before}::date limit ${limit})`.execute(db)
  return Number(numAffectedRows)
}

/** Deletes the views by hour from before a time. @returns how many rows were deleted, at most `limit` */
export const deleteVisitHours = async (db: Sql, before: Date, limit: number): Promise<number> => {
  const { numAffectedRows } = await sql`
    delete from visit_hours where (space_id, hour) in (
      select space_id, hour from visit_hours where hour < ${before} order by hour limit ${limit})`.execute(db)
  return Number(numAffectedRows)
}

/** Deletes the figures of days before a day. @returns how many rows were deleted, at most `2 * limit` */
export const deleteVisitDays = async (db: Sql, before: string, limit: number): Promise<number> => {
  const counts = await sql`
    delete from visit_counts where (space_id, day, kind, name) in (
      select space_id, day, kind, name from visit_counts where day < ${before}::date order by day limit ${limit})`.execute(
    db,
  )
  const days = await sql`
    delete from visit_days where (space_id, day) in (
      select space_id, day from visit_days where day < ${before}::date order by day limit ${limit})`.execute(
    db,
  )
  return Number(counts.numAffectedRows) + Number(days.numAffectedRows)
}

/** The figures of a space for each day with visits, from a day on, oldest first. */
export const listVisitDays = compileOnceRows((db, spaceId: string, since: string) => ({
  compile: () =>
    sql<{
      day: string
      views: number
      visitors: number
      is_estimate: boolean
      not_found: number
      failed: number
    }>`
      select day::text, views, visitors, is_estimate, not_found, failed from visit_days
      where space_id = ${spaceId} and day >= ${since}::date order by day`.compile(db),
}))

/** The views of a space in each hour with views, from an hour on, oldest first. */
export const listVisitHours = compileOnceRows((db, spaceId: string, since: Date) =>
  db
    .selectFrom('visit_hours')
    .where('space_id', '=', spaceId)
    .where('hour', '>=', since)
    .select(['hour', 'views'])
    .orderBy('hour'),
)

/** The most frequent names of each kind, from a day on. The name `''` stands for all that have no row of their own. */
export const listVisitNames = compileOnceRows((db, spaceId: string, since: string, limit: number) => ({
  compile: () =>
    sql<{ kind: VisitKind; name: string; count: number }>`
      select kind, name, count from (
        select kind, name, sum(count)::int as count, row_number() over (
          partition by kind order by name = '', sum(count) desc, name) as place
        from visit_counts where space_id = ${spaceId} and day >= ${since}::date
        group by kind, name) as named
      where place <= ${limit} order by kind, place`.compile(db),
}))

/** Whether the visits of a space are counted. */
export const countsVisits = compileOnceRows((db, spaceId: string) =>
  db.selectFrom('space_names').where('id', '=', spaceId).select('counts_visits'),
)

/** Switches the counting of a space's visits on or off. */
export const setCountsVisits = (db: Sql, spaceId: string, isOn: boolean) =>
  db.updateTable('space_names').set({ counts_visits: isOn }).where('id', '=', spaceId).execute()
