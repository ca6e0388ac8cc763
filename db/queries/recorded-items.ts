import { type RawBuilder, sql } from 'kysely'
import { isDistributed } from '../distributed-content.ts'
import type { SpaceWrite } from '../space-write.ts'
import { type ChangeKind, COLUMNS, revisionOf, SOURCES } from './changes.ts'
import { filePosition } from './files.ts'
import { deleteOrigins, hasOrigin, insertOrigins } from './origins.ts'

/** The kinds of items that are stored in a table of their own. */
export type ItemKind = Exclude<ChangeKind, 'space'>

/** An item that gets a new state. */
export interface ChangedItem {
  /** The id of the item, or the key of the record. */
  thing: string
  /** The content type of a file; null for all other items. */
  content_type: string | null
  /** Used only when the item is added: the time of its last change. Null means the current time. */
  updated_at?: Date | null
}

/** A query for new states, with the columns `thing`, `place` (from 1), `fields` (null to delete) and `digest`. */
export type States = RawBuilder<unknown>

/** A table of new bodies, with the columns `digest` and `text`. */
export type Bodies = RawBuilder<unknown>

/** Changes that this write has recorded: their items, the position of the first change, and the new bodies. */
export interface Recorded {
  items: readonly ChangedItem[]
  from: number
  bodies: Bodies
}

/**
 * Records changes of items in the history, and keeps the bodies that the changes replace. Call this function before
 * the functions below. Those functions take the new states from the recorded changes, so items and history agree.
 *
 * @param states the new states of all items, in the order of `items`
 */
export const recordItems = async (
  write: SpaceWrite,
  kind: ItemKind,
  items: readonly ChangedItem[],
  states: States,
  bodies: Bodies,
): Promise<Recorded> => {
  const { sql: db, spaceId, author, cause, operation } = write
  const from = write.nextPosition(items.length)
  const things = items.map(({ thing }) => thing)
  const compared = sql`given as (${states}
    ), current as materialized (${SOURCES[kind](spaceId, sql`= any(${things}::text[])`)})`
  const keep = sql`insert into bodies (space_id, digest, text, size)
      select distinct on (current.digest) ${spaceId}, current.digest, current.text, octet_length(current.text)
      from current join given using (thing)
      where current.text is not null and current.digest is distinct from given.digest
      on conflict (space_id, digest) do nothing`
  const record = sql`insert into changes (${COLUMNS})
    select ${spaceId}, ${revisionOf(spaceId)}, ${from}::int + given.place - 1, ${new Date()}::timestamptz, ${kind}, thing,
      case when current.fields is null then 'create' when given.fields is null then 'delete'
        when ${NAMED[kind]} and current.digest = given.digest
          and current.fields ->> 'kind' is not distinct from given.fields ->> 'kind' then 'rename'
        else 'change' end,
      ${cause}, ${operation}, current.fields, current.digest,
      coalesce(current.fields || (given.fields - array['created_at', 'uploaded_by', 'position']), given.fields) || ${ADDED[kind]},
      given.digest, ${author.kind}, ${author.id}, ${author.label}, ${author.accountId}, ${author.agent}
    from given left join current using (thing)`
  const isSplit = isDistributed(db)
  if (isSplit) await sql`with ${compared} ${keep}`.execute(db)
  const recorded = isSplit
    ? sql`with ${compared} ${record}`
    : sql`with ${compared}, kept as (${keep}) ${record}`
  const { numAffectedRows } = await recorded.execute(db)
  if (Number(numAffectedRows) !== items.length) throw new Error('An item to change is missing')
  return { items, from, bodies }
}

/** Whether items of a kind can be renamed. */
const NAMED: Record<ItemKind, boolean> = { page: true, part: true, record: false, file: true }

/** Fields whose values are calculated. These values replace the values in the new state of an item. */
const ADDED: Record<ItemKind, RawBuilder<unknown>> = {
  page: sql`'{}'`,
  part: sql`'{}'`,
  // Higher than any earlier version, so that a write based on an earlier version is refused.
  record: sql`jsonb_build_object('version',
    coalesce(greatest((current.fields ->> 'version')::int, (given.fields ->> 'version')::int), 0) + 1)`,
  file: sql`'{}'`,
}

/** The recorded changes. Each row also has the new body, and the item's properties that the history does not store. */
const changesOf = ({ spaceId }: SpaceWrite, kind: ItemKind, { items, from, bodies }: Recorded) => sql`(
  select change.*, body.text, item.content_type, item.updated_at
  from changes as change
    left join ${bodies} as body on body.digest = change.after_digest
    left join unnest(${items.map(({ thing }) => thing)}::text[],
      ${items.map(({ content_type }) => content_type)}::text[],
      ${items.map(({ updated_at }) => updated_at ?? null)}::timestamptz[]) as item (thing, content_type, updated_at)
      on item.thing = change.thing
  where change.space_id = ${spaceId} and change.revision = ${revisionOf(spaceId)} and change.kind = ${kind}
    and change.position >= ${from} and change.position < ${from + items.length}
) as change`

/** The table of each kind, and its columns with the id, the unique name and the body. */
const TABLES: Record<ItemKind, { table: string; id: string; name?: string; text?: string }> = {
  page: { table: 'pages', id: 'id', name: 'slug', text: 'html' },
  part: { table: 'parts', id: 'id', name: 'name', text: 'html' },
  record: { table: 'data_records', id: 'key', text: 'value' },
  file: { table: 'files', id: 'id' },
}

const isItem = ({ spaceId }: SpaceWrite, kind: ItemKind) =>
  sql`item.space_id = ${spaceId} and ${sql.ref(`item.${TABLES[kind].id}`)} = change.thing`

const idsOf = ({ items }: Recorded): string[] => items.map(({ thing }) => thing)

export const removeItems = async (write: SpaceWrite, kind: ItemKind, changes: Recorded) => {
  const { sql: db, spaceId } = write
  await Promise.all([
    hasOrigin(kind) && deleteOrigins(db, spaceId, kind, idsOf(changes)),
    sql`delete from ${sql.table(TABLES[kind].table)} as item using ${changesOf(write, kind, changes)}
      where ${isItem(write, kind)}`.execute(db),
  ])
}

/** Gives renamed items a temporary unique name, so that items can swap names. */
export const freeNames = async (write: SpaceWrite, kind: ItemKind, changes: Recorded) => {
  const { table, name } = TABLES[kind]
  if (name === undefined) return
  await sql`update ${sql.table(table)} as item set ${sql.ref(name)} = '~' || item.id
    from ${changesOf(write, kind, changes)}
    where ${isItem(write, kind)} and change.before ->> 'name' <> change.after ->> 'name'`.execute(write.sql)
}

/** SQL for the values of an item's columns, by column. The values come from the recorded change. */
type Columns = Record<string, RawBuilder<unknown>>

const field = (name: string) => sql`change.after ->> ${sql.lit(name)}`

const INCLUDES = sql`array(select jsonb_array_elements_text(change.after -> 'includes'))`

/** @param text the body of the item */
const COLUMNS_OF: Record<ItemKind, (text: RawBuilder<unknown>) => Columns> = {
  page: text => ({ slug: field('name'), kind: field('kind'), html: text, includes: INCLUDES }),
  part: text => ({ name: field('name'), html: text, length: sql`char_length(${text})`, includes: INCLUDES }),
  record: text => ({
    value: text,
    size: sql`octet_length(${text})`,
    description: field('description'),
    version: sql`(${field('version')})::int`,
  }),
  file: () => ({
    name: field('name'),
    content_type: sql`change.content_type`,
    size: sql`(${field('size')})::int`,
    digest: sql`change.after_digest`,
  }),
}

export const updateItems = async (write: SpaceWrite, kind: ItemKind, changes: Recorded) => {
  const { table, text } = TABLES[kind]
  // A body that stays the same is not written again.
  const body = sql`case when change.after_digest = change.before_digest then ${sql.ref(`item.${text}`)}
    else change.text end`
  const columns = Object.entries(COLUMNS_OF[kind](body)).map(
    ([column, value]) => sql`${sql.ref(column)} = ${value}`,
  )
  // Citus accepts only immutable expressions of columns in an update. Without a time zone, adding an interval is
  // immutable.
  const later = sql`(item.updated_at at time zone 'UTC' + interval '1 ms') at time zone 'UTC'`
  await sql`update ${sql.table(table)} as item
    set ${sql.join(columns)}, updated_at = greatest(${new Date()}::timestamptz, ${later})
    from ${changesOf(write, kind, changes)}
    where ${isItem(write, kind)}`.execute(write.sql)
}

export const insertItems = async (write: SpaceWrite, kind: ItemKind, changes: Recorded) => {
  const now = new Date()
  const columns: Columns = {
    space_id: sql`change.space_id`,
    [TABLES[kind].id]: sql`change.thing`,
    ...COLUMNS_OF[kind](sql`change.text`),
    ...(kind === 'record'
      ? {}
      : { created_at: sql`coalesce((${field('created_at')})::timestamptz, ${now}::timestamptz)` }),
    ...(kind === 'file'
      ? { uploaded_by_id: field('uploaded_by'), position: filePosition(sql`(${field('position')})::bigint`) }
      : {}),
    updated_at: sql`coalesce(change.updated_at, ${now}::timestamptz)`,
  }
  await Promise.all([
    hasOrigin(kind) && insertOrigins(write.sql, write.spaceId, kind, idsOf(changes)),
    sql`insert into ${sql.table(TABLES[kind].table)} (${sql.join(Object.keys(columns).map(name => sql.ref(name)))})
      select ${sql.join(Object.values(columns))} from ${changesOf(write, kind, changes)}
      order by change.position`.execute(write.sql),
  ])
}
