import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { compileOnce, compileOnceRows } from '../compile-once.ts'
import type { Sql, Tables } from '../orm.ts'
import type { ChangeKind } from './changes.ts'
import { withHandles } from './handles.ts'

/** The place of a change in the history of its space. */
export interface ChangePlace {
  revision: string
  position: number
}

/** Selects the changes to list or undo. */
export interface ChangeFilter {
  kinds: readonly ChangeKind[]
  thing?: string | undefined
  /** Id of a key or token; for sessions, the id of the account. */
  actor?: string | undefined
  operation?: string | undefined
  since?: Date | undefined
  until?: Date | undefined
}

/** A stored change, with the handle of its account; the handle is null after the account is deleted. */
export type ChangeRow = Omit<
  Tables['changes'],
  'space_id' | 'at' | 'revision' | 'trimmed_until' | 'trimmed_by'
> & {
  at: Date
  trimmed_until: Date | null
  revision: string
  handle: string | null
}

const COLUMNS = sql`change.revision, change.position, change.at, change.kind, change.thing, change.action, change.cause,
  change.operation, change.before, change.after, change.before_digest, change.after_digest, change.actor_kind,
  change.actor, change.actor_label, change.account, change.agent, change.trimmed_until`

/** The conditions of a filter on the table `alias`. */
export const matches = (filter: ChangeFilter, alias: 'change' | 'later'): RawBuilder<SqlBool> => {
  const column = (name: string) => sql.ref(`${alias}.${name}`)
  const conditions = [
    sql<SqlBool>`${column('kind')} = any(${filter.kinds})`,
    filter.thing === undefined ? [] : sql<SqlBool>`${column('thing')} = ${filter.thing}`,
    filter.actor === undefined ? [] : sql<SqlBool>`${column('actor')} = ${filter.actor}`,
    filter.operation === undefined ? [] : sql<SqlBool>`${column('operation')} = ${filter.operation}`,
    filter.since === undefined ? [] : sql<SqlBool>`${column('at')} >= ${filter.since}::timestamptz`,
    filter.until === undefined ? [] : sql<SqlBool>`${column('at')} < ${filter.until}::timestamptz`,
  ].flat()
  return sql.join(conditions, sql` and `)
}

/** Maximum difference between the clocks of processes, and maximum time by which a clock may be set back, in ms. */
const CLOCK_SKEW = 60 * 60_000

/**
 * Finds the first revision whose changes were made at or after a time. Assumes that the clock was never set back.
 * Uses bisection with the primary key, because an index on the time would slow down every write. In each step, changes
 * before revision `low` are older than the time, and changes from revision `high` on are not older.
 */
const firstRevisionSince = (spaceId: string, time: Date) => sql`(
  with recursive search (low, high) as (
    select 0::bigint,
      1 + coalesce((select revision from changes where space_id = ${spaceId} order by revision desc limit 1), 0)
    union all
    select
      case when next.at < ${time}::timestamptz then next.revision else low end,
      case when next.at < ${time}::timestamptz then high else (low + high) / 2 end
    from search left join lateral (
      select revision, at from changes
      where space_id = ${spaceId} and revision >= (low + high) / 2 and revision < high
      order by revision limit 1
    ) as next on true
    where high - low > 1
  )
  select min(high) from search)`

/**
 * Returns a condition that limits a query to a range of revisions. The range contains every change between `since` and
 * `until`. The indexes contain the revision, so changes outside the range are not read.
 */
export const isNear = (spaceId: string, { since, until }: ChangeFilter): RawBuilder<SqlBool> => {
  const from = since && firstRevisionSince(spaceId, new Date(since.getTime() - CLOCK_SKEW))
  const to = until && firstRevisionSince(spaceId, new Date(until.getTime() + CLOCK_SKEW))
  return sql`true ${from ? sql`and change.revision >= ${from}` : sql``} ${to ? sql`and change.revision < ${to}` : sql``}`
}

/** One page of the list of a space's changes, newest first. */
export const listChanges = async (
  db: Sql,
  spaceId: string,
  filter: ChangeFilter,
  { after, limit }: { after: ChangePlace | null; limit: number },
): Promise<ChangeRow[]> => {
  const older = after
    ? sql`and (change.revision, change.position) < (${after.revision}::bigint, ${after.position}::int)`
    : sql``
  const { rows } = await sql<Omit<ChangeRow, 'handle'>>`
    select ${COLUMNS} from changes as change
    where change.space_id = ${spaceId} and ${isNear(spaceId, filter)} and ${matches(filter, 'change')} ${older}
    order by change.revision desc, change.position desc
    limit ${limit}`.execute(db)
  return withHandles(db, rows)
}

/** The change at a place in a space's history. */
export const findChange = async (
  db: Sql,
  spaceId: string,
  { revision, position }: ChangePlace,
): Promise<ChangeRow | undefined> =>
  (await withHandles(db, await changeAt(db, spaceId, revision, position)))[0]

const changeAt = compileOnceRows((db, spaceId: string, revision: string, position: number) => ({
  compile: () =>
    sql<Omit<ChangeRow, 'handle'>>`select ${COLUMNS} from changes as change
      where change.space_id = ${spaceId} and change.revision = ${revision}::bigint and change.position = ${position}::int`.compile(
      db,
    ),
}))

/** An earlier body of a page, part or record. */
export const findBody = compileOnce((db, spaceId: string, digest: Buffer) =>
  db.selectFrom('bodies').where('space_id', '=', spaceId).where('digest', '=', digest).select('text'),
)

/** The size of an earlier file; undefined if its bytes are no longer kept. */
export const findBlobSize = compileOnce((db, spaceId: string, digest: Buffer) =>
  db.selectFrom('blobs').where('space_id', '=', spaceId).where('digest', '=', digest).select('size'),
)

/** The place that a deleted file had among files created in the same millisecond; undefined if it is not known. */
export const findFilePosition = compileOnce((db, spaceId: string, id: string) => ({
  compile: () =>
    sql<{ position: string }>`select before ->> 'position' as position from changes
      where space_id = ${spaceId} and kind = 'file' and thing = ${id} and before ? 'position'
      order by revision desc, position desc limit 1`.compile(db),
}))
