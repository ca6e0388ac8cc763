import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { compileOnce, compileOnceRows } from '../compile-once.ts'
import type { Sql, Tables } from '../database.ts'
import type { StoredBytes } from '../file-store/content.ts'
import type { ChangeKind } from './items.ts'

/** The place of a change in the history of its space: its write, and its item. */
export interface ChangePlace {
  revision: string
  kind: ChangeKind
  thing: string
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

/** A change with its write, and the handle of its account; the handle is null after the account is deleted. */
export type ChangeRow = ChangePlace &
  Pick<Tables['changes'], 'before' | 'after' | 'before_digest' | 'after_digest'> &
  Pick<
    Tables['writes'],
    'cause' | 'operation' | 'actor_kind' | 'actor' | 'actor_label' | 'account' | 'agent'
  > & {
    at: Date
    /** Whether earlier changes of the item were deleted from the history. */
    trimmed: boolean
    handle: string | null
  }

/** The columns of a change with its write. An item begins with its creation, unless its first changes were deleted. */
const columns = (spaceId: string) => sql`
  change.revision, change.kind, change.thing, change.before, change.after, change.before_digest, change.after_digest,
  write.at, write.cause, write.operation, write.actor_kind, write.actor, write.actor_label, write.account, write.agent,
  change.before is not null and not (change.kind = 'space' and change.thing = 'name') and not exists (
    select 1 from changes as earlier
    where earlier.space_id = ${spaceId} and earlier.kind = change.kind and earlier.thing = change.thing
      and earlier.revision < change.revision
  ) as trimmed`

/** Which of the tables a list begins with: the one whose index leaves the fewest rows. */
const firstTable = ({ thing, actor, operation }: ChangeFilter): 'change' | 'write' =>
  thing === undefined && (actor !== undefined || operation !== undefined) ? 'write' : 'change'

/**
 * The changes with their writes. The planner cannot know how few changes a filter leaves, so the order is fixed: the
 * writes of an actor or operation with their changes, or else the changes with their writes. Either way an index has the
 * order of the list.
 */
export const written = (spaceId: string, first: 'change' | 'write' = 'change') => {
  const others = (table: 'changes' | 'writes', by: string) => sql`cross join lateral (
    select * from ${sql.table(table)} where space_id = ${spaceId} and revision = ${sql.ref(`${by}.revision`)} offset 0)`
  return first === 'change'
    ? sql`changes as change ${others('writes', 'change')} as write`
    : sql`writes as write ${others('changes', 'write')} as change`
}

/** The conditions of a filter on a change and its write. */
export const matches = (filter: ChangeFilter, change = 'change', write = 'write'): RawBuilder<SqlBool> => {
  const ofChange = (name: string) => sql.ref(`${change}.${name}`)
  const ofWrite = (name: string) => sql.ref(`${write}.${name}`)
  const [kind, ...others] = filter.kinds
  const conditions = [
    // With one kind and thing, the primary key has the order of the list.
    kind !== undefined && others.length === 0
      ? sql<SqlBool>`${ofChange('kind')} = ${kind}`
      : sql<SqlBool>`${ofChange('kind')} = any(${filter.kinds})`,
    filter.thing === undefined ? [] : sql<SqlBool>`${ofChange('thing')} = ${filter.thing}`,
    filter.actor === undefined ? [] : sql<SqlBool>`${ofWrite('actor')} = ${filter.actor}`,
    filter.operation === undefined ? [] : sql<SqlBool>`${ofWrite('operation')} = ${filter.operation}`,
    filter.since === undefined ? [] : sql<SqlBool>`${ofWrite('at')} >= ${filter.since}::timestamptz`,
    filter.until === undefined ? [] : sql<SqlBool>`${ofWrite('at')} < ${filter.until}::timestamptz`,
  ].flat()
  return sql.join(conditions, sql` and `)
}

/** Maximum difference between the clocks of processes, and maximum time by which a clock may be set back, in ms. */
const CLOCK_SKEW = 60 * 60_000

/**
 * Finds the first revision whose write was made at or after a time. Assumes that the clock was never set back.
 * Uses bisection with the primary key, because an index on the time would slow down every write. In each step, writes
 * before revision `low` are older than the time, and writes from revision `high` on are not older.
 */
const firstRevisionSince = (spaceId: string, time: Date) => sql`(
  with recursive search (low, high) as (
    select 0::bigint,
      1 + coalesce((select revision from writes where space_id = ${spaceId} order by revision desc limit 1), 0)
    union all
    select
      case when next.at < ${time}::timestamptz then next.revision else low end,
      case when next.at < ${time}::timestamptz then high else (low + high) / 2 end
    from search left join lateral (
      select revision, at from writes
      where space_id = ${spaceId} and revision >= (low + high) / 2 and revision < high
      order by revision limit 1
    ) as next on true
    where high - low > 1
  )
  select min(high) from search)`

/**
 * Returns a condition that limits a query to a range of revisions. The range contains every change between `since` and
 * `until`. The indexes contain the revision, so changes outside the range are not read.
 *
 * @param table the alias of the table whose index is used
 */
export const isNear = (
  spaceId: string,
  { since, until }: ChangeFilter,
  table: 'change' | 'write',
): RawBuilder<SqlBool> => {
  const revision = sql.ref(`${table}.revision`)
  const from = since && firstRevisionSince(spaceId, new Date(since.getTime() - CLOCK_SKEW))
  const to = until && firstRevisionSince(spaceId, new Date(until.getTime() + CLOCK_SKEW))
  return sql`true ${from ? sql`and ${revision} >= ${from}` : sql``} ${to ? sql`and ${revision} < ${to}` : sql``}`
}

/**
 * Whether a list may have to read the whole history, which can take seconds: no index finds the changes of an actor that
 * belong to one item, or to few kinds of items.
 *
 * @param isWhole whether the filter has all kinds
 */
export const isSlowList = ({ actor, thing }: ChangeFilter, isWhole: boolean): boolean =>
  actor !== undefined && (thing !== undefined || !isWhole)

/** One page of the list of a space's changes, newest first. */
export const listChanges = async (
  db: Sql,
  spaceId: string,
  filter: ChangeFilter,
  { after, limit }: { after: ChangePlace | null; limit: number },
): Promise<ChangeRow[]> => {
  const first = firstTable(filter)
  const revision = sql.ref(`${first}.revision`)
  const older = after
    ? sql`and ${revision} <= ${after.revision}::bigint
        and (change.revision, change.kind, change.thing) < (${after.revision}::bigint, ${after.kind}, ${after.thing})`
    : sql``
  const { rows } = await sql<Omit<ChangeRow, 'handle'>>`
    select ${columns(spaceId)} from ${written(spaceId, first)}
    where ${sql.ref(`${first}.space_id`)} = ${spaceId} and ${isNear(spaceId, filter, first)} and ${matches(filter)}
      ${older}
    order by ${revision} desc, change.kind desc, change.thing desc
    limit ${limit}`.execute(db)
  return withHandles(db, rows)
}

/** The changes after a revision, newest first. */
export const listChangesAfter = async (
  db: Sql,
  spaceId: string,
  revision: string,
  limit: number,
): Promise<ChangeRow[]> => withHandles(db, await changesAfter(db, spaceId, revision, limit))

const changesAfter = compileOnceRows(
  (db, spaceId: string, revision: string, limit: number) => ({
    compile: () =>
      sql<Omit<ChangeRow, 'handle'>>`
        select ${columns(spaceId)} from ${written(spaceId)}
        where change.space_id = ${spaceId} and change.revision > ${revision}::bigint
        order by change.revision desc, change.kind desc, change.thing desc
        limit ${limit}`.compile(db),
  }),
  { isShared: true },
)

/** What a write did to an item: its slug or name before and after, which is null while the item does not exist. */
export interface WrittenItem extends Pick<ChangePlace, 'kind' | 'thing'> {
  before: string | null
  after: string | null
}

/** The items that a write changed, by kind and name. */
export const listWrittenItems = compileOnceRows((db, spaceId: string, revision: string, limit: number) => ({
  compile: () => {
    const nameIn = (side: 'before' | 'after') => {
      const state = sql.ref(side)
      return sql`case when ${state} is not null then coalesce(${state}->>'slug', ${state}->>'name', thing) end`
    }
    return sql<WrittenItem>`
        select kind, thing, ${nameIn('before')} as before, ${nameIn('after')} as after from changes
        where space_id = ${spaceId} and revision = ${revision}::bigint
        order by kind, coalesce(${nameIn('after')}, ${nameIn('before')})
        limit ${limit}`.compile(db)
  },
}))

/** The change at a place in a space's history. */
export const findChange = async (
  db: Sql,
  spaceId: string,
  { revision, kind, thing }: ChangePlace,
): Promise<ChangeRow | undefined> => {
  const found = await changeAt(db, spaceId, revision, kind, thing)
  return found && (await withHandles(db, [found]))[0]
}

const changeAt = compileOnce((db, spaceId: string, revision: string, kind: ChangeKind, thing: string) => ({
  compile: () =>
    sql<Omit<ChangeRow, 'handle'>>`select ${columns(spaceId)} from ${written(spaceId)}
      where change.space_id = ${spaceId} and change.kind = ${kind}
        and change.thing = ${thing} and change.revision = ${revision}::bigint`.compile(db),
}))

/** An author of changes to a space. The fields come from the author's latest change to the space. */
export type HistoryActor = Pick<
  ChangeRow,
  'actor_kind' | 'actor' | 'actor_label' | 'agent' | 'account' | 'handle' | 'at'
>

/**
 * Lists the authors of changes to a space, those with the latest changes first. Jumps in the index from one author to
 * the next, so the number of changes does not matter.
 */
export const listHistoryActors = async (db: Sql, spaceId: string, limit: number): Promise<HistoryActor[]> =>
  withHandles(db, await actorsOf(db, spaceId, limit))

const actorsOf = compileOnceRows((db, spaceId: string, limit: number) => ({
  compile: () =>
    sql<Omit<HistoryActor, 'handle'>>`
      with recursive actors (id) as (
        (select actor from writes where space_id = ${spaceId} order by actor desc limit 1)
        union all
        select (
          select actor from writes where space_id = ${spaceId} and actor < actors.id order by actor desc limit 1
        )
        from actors where actors.id is not null
      )
      select last.actor_kind, last.actor, last.actor_label, last.agent, last.at, last.account
      from (select id from actors where id is not null limit ${limit}::int) as found
      cross join lateral (
        select * from writes where space_id = ${spaceId} and actor = found.id
        order by revision desc limit 1
      ) as last
      order by last.revision desc`.compile(db),
}))

const handlesOf = compileOnceRows((db, accountIds: string[]) => ({
  compile: () =>
    sql<{
      id: string
      handle: string
    }>`select id, handle from accounts where id = any(${accountIds}::text[])`.compile(db),
}))

/**
 * Adds to each row the handle of the row's account; null if the account was deleted. Runs a separate query, because the
 * rows and the accounts can be on different servers.
 */
export const withHandles = async <Row extends { account: string }>(
  db: Sql,
  rows: readonly Row[],
): Promise<(Row & { handle: string | null })[]> => {
  const ids = [...new Set(rows.map(({ account }) => account))]
  const found = ids.length === 0 ? [] : await handlesOf(db, ids)
  const handles = new Map(found.map(({ id, handle }) => [id, handle]))
  return rows.map(row => ({ ...row, handle: handles.get(row.account) ?? null }))
}

/**
 * Finds the bytes of a current or earlier file or icon of a space. The current icon is in `icons`. The files and the
 * earlier icons are in `blobs`.
 *
 * @param maxSize maximum size in bytes; larger values in `blobs` are not returned
 */
export const findPicture = compileOnce((db, spaceId: string, digest: Buffer, maxSize: number) => ({
  compile: () =>
    sql<StoredBytes>`
      select bytes, object, size from blobs where space_id = ${spaceId} and digest = ${digest} and size <= ${maxSize}::int
      union all
      select png, null, octet_length(png) from icons where space_id = ${spaceId} and sha256(png) = ${digest}
      limit 1`.compile(db),
}))
