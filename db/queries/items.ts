import { hash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import { compileOnce } from '../compile-once.ts'
import type { Sql, Tables } from '../database.ts'
import type { SpaceWrite } from '../space-write.ts'
import { COLUMNS, forEachKind, type ItemKind, NOT_RECORDED, ONLY_NEW, TABLES } from './item-rows.ts'
import { deleteOrigins, hasOrigin, insertOrigins } from './spaces.ts'

/** What the history of a space covers: the items of its content, and its settings as `space`. */
export type ChangeKind = Tables['changes']['kind']

/** The settings of a space that its history covers. */
export type Setting = 'name' | 'icon'

/** Returns the SHA-256 of a body, as the history stores it. */
export const digestOfBody = (text: string): Buffer => hash('sha256', text, 'buffer')

/** The columns that a new state sets, besides the body, and besides `digest` and `content_type` of a file. */
const fieldsOf = (kind: ItemKind) => {
  const { id, body } = TABLES[kind]
  return Object.entries(COLUMNS[kind]).filter(
    ([name]) => ![id, body, 'digest', 'content_type', 'updated_at'].includes(name),
  )
}

/**
 * A query for new states of items: `thing`, `place` (from 1), `fields` as JSON, `body`, `digest` and `content_type` of a
 * file, and `updated_at` of an added item; null means the current time. If `body` is null, a changed item keeps its body.
 */
export type States = RawBuilder<unknown>

/** SQL for the columns that a new state sets. The state is `state`, and its fields are `field`. */
const valuesOf = (kind: ItemKind, body: RawBuilder<unknown>): Record<string, RawBuilder<unknown>> => {
  const fields = Object.fromEntries(fieldsOf(kind).map(([name]) => [name, sql.ref(`field.${name}`)]))
  if (kind === 'page') return { ...fields, html: body }
  if (kind === 'part') return { ...fields, html: body, length: sql`char_length(${body})` }
  if (kind === 'record') return { ...fields, value: body, size: sql`octet_length(${body})` }
  return { ...fields, digest: sql`state.digest`, content_type: sql`state.content_type` }
}

/** The states with their fields as columns. */
const readStates = (kind: ItemKind, states: States) => sql`
  (${states}) as state cross join lateral jsonb_to_record(state.fields) as field (${sql.join(
    fieldsOf(kind).map(([name, type]) => sql`${sql.ref(name)} ${sql.raw(type)}`),
  )})`

const isItem = ({ spaceId }: SpaceWrite, kind: ItemKind) =>
  sql`item.space_id = ${spaceId} and ${sql.ref(`item.${TABLES[kind].id}`)} = state.thing`

/** Gives existing items new states. */
export const updateItems = async (write: SpaceWrite, kind: ItemKind, states: States): Promise<number> => {
  const { table, body } = TABLES[kind]
  const values = valuesOf(kind, body ? sql`coalesce(state.body, ${sql.ref(`item.${body}`)})` : sql`null`)
  // Higher than any earlier version, so that a write based on an earlier version is refused.
  if (kind === 'record') values.version = sql`greatest(item.version, field.version) + 1`
  // Citus accepts only immutable expressions of columns in an update. Without a time zone, adding an interval is
  // immutable.
  values.updated_at = sql`greatest(${new Date()}::timestamptz,
    (item.updated_at at time zone 'UTC' + interval '1 ms') at time zone 'UTC')`
  const changed = Object.entries(values).filter(
    ([column]) => !(ONLY_NEW as readonly string[]).includes(column),
  )
  const { numAffectedRows } = await sql`
    update ${sql.table(table)} as item
    set ${sql.join(changed.map(([column, value]) => sql`${sql.ref(column)} = ${value}`))}
    from ${readStates(kind, states)}
    where ${isItem(write, kind)}`.execute(write.sql)
  return count(write, numAffectedRows)
}

/** Gives items whose new name differs a temporary one that nothing else has, so that items can swap names. */
export const freeNames = async (write: SpaceWrite, kind: ItemKind, states: States): Promise<void> => {
  const { table, name } = TABLES[kind]
  if (kind !== 'page' && kind !== 'part') return
  await sql`
    update ${sql.table(table)} as item set ${sql.ref(name)} = '~' || item.id
    from (${states}) as state
    where ${isItem(write, kind)} and ${sql.ref(`item.${name}`)} <> state.fields ->> ${sql.lit(name)}`.execute(
    write.sql,
  )
}

/**
 * Adds items.
 *
 * @param ids the ids of the items
 */
export const insertItems = async (
  write: SpaceWrite,
  kind: ItemKind,
  states: States,
  ids: readonly string[],
): Promise<number> => {
  const { sql: db, spaceId } = write
  const { table, id } = TABLES[kind]
  const now = new Date()
  const values = valuesOf(kind, sql`state.body`)
  if ('created_at' in values) values.created_at = sql`coalesce(field.created_at, ${now}::timestamptz)`
  if (kind === 'record')
    values.version = sql`1 + coalesce(greatest(field.version, (
      select max((before ->> 'version')::int) from changes
      where space_id = ${spaceId} and kind = 'record' and thing = state.thing)), 0)`
  if (kind === 'file') values.position = sql`coalesce(field.position, nextval('files_position_seq'))`
  values.updated_at = sql`coalesce(state.updated_at, ${now}::timestamptz)`
  const [, { numAffectedRows }] = await Promise.all([
    hasOrigin(kind) && insertOrigins(db, spaceId, kind, ids),
    sql`
      insert into ${sql.table(table)} (space_id, ${sql.ref(id)}, ${sql.join(Object.keys(values).map(name => sql.ref(name)))})
      select ${spaceId}, state.thing, ${sql.join(Object.values(values))}
      from ${readStates(kind, states)}
      order by state.place`.execute(db),
  ])
  return count(write, numAffectedRows)
}

/** Deletes items. */
export const removeItems = async (
  write: SpaceWrite,
  kind: ItemKind,
  ids: readonly string[],
): Promise<number> => {
  const { sql: db, spaceId } = write
  const { table, id } = TABLES[kind]
  const [, { numAffectedRows }] = await Promise.all([
    hasOrigin(kind) && deleteOrigins(db, spaceId, kind, ids),
    sql`delete from ${sql.table(table)} where space_id = ${spaceId} and ${sql.ref(id)} = any(${ids}::text[])`.execute(
      db,
    ),
  ])
  return count(write, numAffectedRows)
}

const count = (write: SpaceWrite, affected: bigint | undefined): number => {
  write.changedItems += Number(affected)
  return Number(affected)
}

/** The state of an item: its fields, and its body or the digest of its bytes. */
export interface StoredState {
  fields: Record<string, unknown>
  text: string | null
  digest: Buffer | null
}

const NO_FIELDS = sql`${sql.lit(`{${NOT_RECORDED.join()}}`)}::text[]`

const stateOf = (kind: ItemKind) => {
  const { table, id, body } = TABLES[kind]
  const text = body ? sql.ref(body) : sql`null::text`
  return compileOnce((db, spaceId: string, thing: string) => ({
    compile: () =>
      sql<StoredState>`
        select to_jsonb(item) - ${NO_FIELDS} as fields, ${text} as text,
          ${body ? sql`sha256(convert_to(${text}, 'UTF8'))` : sql`digest`} as digest
        from ${sql.table(table)} as item where space_id = ${spaceId} and ${sql.ref(id)} = ${thing}`.compile(
        db,
      ),
  }))
}

type ReadState = (db: Sql, spaceId: string, thing: string) => Promise<StoredState | undefined>

const ITEM_STATES: Record<ItemKind, ReadState> = forEachKind(stateOf)

const SETTINGS: Record<Setting, (db: Sql, spaceId: string) => Promise<StoredState | undefined>> = {
  name: compileOnce((db, spaceId: string) => ({
    compile: () =>
      sql<StoredState>`select jsonb_build_object('name', name) as fields, null::text as text, null::bytea as digest
        from spaces where id = ${spaceId}`.compile(db),
  })),
  icon: compileOnce((db, spaceId: string) => ({
    compile: () =>
      sql<StoredState>`select jsonb_build_object('size', octet_length(png)) as fields, null::text as text,
          sha256(png) as digest
        from icons where space_id = ${spaceId}`.compile(db),
  })),
}

/** The current state of an item; undefined if there is no such item. */
export const readState = (
  db: Sql,
  spaceId: string,
  kind: ChangeKind,
  thing: string,
): Promise<StoredState | undefined> =>
  kind === 'space' ? SETTINGS[thing as Setting](db, spaceId) : ITEM_STATES[kind](db, spaceId, thing)

/** A place in the history of an item: its state before or after a change. */
export interface Side {
  thing: string
  revision: string
  /** For a file. */
  content_type: string | null
}

/**
 * The states that items had before or after changes, for {@link updateItems} and {@link insertItems}.
 *
 * @param fields JSON with fields that replace those of the states
 */
export const earlierStates = (
  spaceId: string,
  kind: ItemKind,
  side: 'before' | 'after',
  sides: readonly Side[],
  fields: object = {},
): States => sql`
  select given.thing, given.place, ${sql.ref(`change.${side}`)} || ${JSON.stringify(fields)}::jsonb as fields,
    ${sql.ref(`change.${side}_digest`)} as digest, given.content_type, null::timestamptz as updated_at,
    ${bodyAt(spaceId, kind, sql`given.thing`, sql`given.revision`, side)} as body
  from unnest(${sides.map(({ thing }) => thing)}::text[], ${sides.map(({ revision }) => revision)}::bigint[],
      ${sides.map(({ content_type }) => content_type)}::text[])
      with ordinality as given (thing, revision, content_type, place)
    join changes as change on change.space_id = ${spaceId} and change.kind = ${kind} and change.thing = given.thing
      and change.revision = given.revision`

/** The body that an item had before or after a change; null if the item has had it since. */
const bodyAt = (
  spaceId: string,
  kind: ItemKind,
  thing: RawBuilder<unknown>,
  revision: RawBuilder<unknown>,
  side: 'before' | 'after',
) => sql`(
  select later.body from changes as later
  where later.space_id = ${spaceId} and later.kind = ${kind} and later.thing = ${thing}
    and later.revision ${sql.raw(side === 'before' ? '>=' : '>')} ${revision} and later.body is not null
  order by later.revision limit 1)`

const bodyBeforeOrAfter = (kind: ItemKind, side: 'before' | 'after') => {
  const { table, id, body } = TABLES[kind]
  return compileOnce((db, spaceId: string, thing: string, revision: string) => ({
    compile: () =>
      sql<{ text: string | null }>`
      select coalesce(${bodyAt(spaceId, kind, sql`${thing}`, sql`${revision}::bigint`, side)}, (
        select ${sql.ref(body!)} from ${sql.table(table)} where space_id = ${spaceId} and ${sql.ref(id)} = ${thing}
      )) as text`.compile(db),
  }))
}

const BODIES = Object.fromEntries(
  (['page', 'part', 'record'] as const).map(kind => [
    kind,
    { before: bodyBeforeOrAfter(kind, 'before'), after: bodyBeforeOrAfter(kind, 'after') },
  ]),
) as Record<Exclude<ItemKind, 'file'>, Record<'before' | 'after', ReturnType<typeof bodyBeforeOrAfter>>>

/**
 * Reads the body that a page, part or record had before or after a change, in one statement. Undefined if the change is
 * no longer in the history and the item was deleted.
 */
export const findBody = async (
  db: Sql,
  spaceId: string,
  kind: keyof typeof BODIES,
  { thing, revision }: Pick<Side, 'thing' | 'revision'>,
  side: 'before' | 'after',
): Promise<string | undefined> => (await BODIES[kind][side](db, spaceId, thing, revision))?.text ?? undefined
