import { type RawBuilder, sql } from 'kysely'
import type { SpaceWrite } from '../space-write.ts'
import { type ChangeKind, COLUMNS, revisionOf, SOURCES } from './changes.ts'
import { filePosition } from './files.ts'
import type { Touched } from './undo-plan.ts'

/** An item to undo, and the place of the first change to undo. It gets the state from before that change. */
export type Undone = Pick<Touched, 'thing' | 'revision' | 'position' | 'effect'> & {
  /** The content type of a file; null for all other items. */
  content_type: string | null
}

type Kind = Exclude<ChangeKind, 'space'>

/** Maximum number of items that one statement handles, so that none of them takes long. */
const SLICE = 500

/**
 * Undoes changes to items of one kind with a few statements. The names of the restored items must be free, or belong to
 * items that are undone too. First records each change in the history, and then gives the items the recorded states, so
 * that both agree.
 */
export const undoItems = async (write: SpaceWrite, kind: Kind, items: readonly Undone[]): Promise<void> => {
  const slices = (effect: Touched['effect']) => {
    const chosen = items.filter(item => item.effect === effect)
    return Array.from({ length: Math.ceil(chosen.length / SLICE) }, (_, n) =>
      chosen.slice(n * SLICE, (n + 1) * SLICE),
    )
  }
  for (const slice of slices('delete')) await remove(write, kind, await record(write, kind, slice))
  const changes: Recorded[] = []
  for (const slice of slices('change')) changes.push(await record(write, kind, slice))
  for (const slice of changes) await freeNames(write, kind, slice)
  for (const slice of changes) await update(write, kind, slice)
  for (const slice of slices('bring_back')) {
    if (kind === 'file') await lockUploaders(write, slice)
    await insert(write, kind, await record(write, kind, slice))
  }
}

/** Locks the accounts that uploaded deleted files, so that the files can refer to them. */
const lockUploaders = ({ sql: db, spaceId }: SpaceWrite, items: readonly Undone[]) =>
  sql`select id from accounts where id in (
      select origin.before ->> 'uploaded_by' from changes as origin
      where origin.space_id = ${spaceId} and (origin.revision, origin.position) in (
        select * from unnest(${items.map(({ revision }) => revision)}::bigint[],
          ${items.map(({ position }) => position)}::int[]))
    ) order by id for key share`.execute(db)

/** Changes that this write has recorded: their items, and the position of the first change. */
interface Recorded {
  items: readonly Undone[]
  from: number
}

/** Records changes that give items their earlier states, and keeps the bodies that they replace. */
const record = async (write: SpaceWrite, kind: Kind, items: readonly Undone[]): Promise<Recorded> => {
  const { sql: db, spaceId, author, cause, operation } = write
  const from = write.nextPosition(items.length)
  const things = items.map(({ thing }) => thing)
  const { numAffectedRows } = await sql`
    with given as (
      select given.thing, given.place, origin.before as fields, origin.before_digest as digest
      from unnest(${things}::text[], ${items.map(({ revision }) => revision)}::bigint[],
          ${items.map(({ position }) => position)}::int[]) with ordinality as given (thing, revision, position, place)
        join changes as origin on origin.space_id = ${spaceId} and origin.revision = given.revision
          and origin.position = given.position
    ), current as materialized (${SOURCES[kind](spaceId, sql`= any(${things}::text[])`)}),
    kept as (
      insert into bodies (space_id, digest, text, size)
      select distinct on (current.digest) ${spaceId}, current.digest, current.text, octet_length(current.text)
      from current join given using (thing)
      where current.text is not null and current.digest is distinct from given.digest
      on conflict (space_id, digest) do nothing
    )
    insert into changes (${COLUMNS})
    select ${spaceId}, ${revisionOf(spaceId)}, ${from}::int + given.place - 1, ${new Date()}::timestamptz, ${kind}, thing,
      case when current.fields is null then 'create' when given.fields is null then 'delete'
        when ${NAMED[kind]} and current.digest = given.digest
          and current.fields ->> 'kind' is not distinct from given.fields ->> 'kind' then 'rename'
        else 'change' end,
      ${cause}, ${operation}, current.fields, current.digest,
      coalesce(current.fields || (given.fields - array['created_at', 'uploaded_by', 'position']), given.fields) || ${ADDED[kind]},
      given.digest, ${author.kind}, ${author.id}, ${author.label}, ${author.accountId}, ${author.agent}
    from given left join current using (thing)`.execute(db)
  if (Number(numAffectedRows) !== items.length) throw new Error('The history of an item to undo is missing')
  return { items, from }
}

/** Whether items of a kind can be renamed. */
const NAMED: Record<Kind, boolean> = { page: true, part: true, record: false, file: true }

/** The fields of a restored state that differ from the earlier state. */
const ADDED: Record<Kind, RawBuilder<unknown>> = {
  page: sql`'{}'`,
  part: sql`'{}'`,
  // Higher than any earlier version, so that a write based on an earlier version is refused.
  record: sql`jsonb_build_object('version',
    greatest((current.fields ->> 'version')::int, (given.fields ->> 'version')::int) + 1)`,
  // The account of the uploader may have been deleted, too.
  file: sql`case when current.fields is null then jsonb_build_object('uploaded_by',
    (select id from accounts where id = given.fields ->> 'uploaded_by')) else '{}' end`,
}

/** The recorded changes, with the earlier body and the content type of each. */
const changesOf = ({ spaceId }: SpaceWrite, kind: Kind, { items, from }: Recorded) => sql`(
  select change.*, body.text, type.content_type
  from changes as change
    left join bodies as body on body.space_id = change.space_id and body.digest = change.after_digest
    left join unnest(${items.map(({ thing }) => thing)}::text[],
      ${items.map(({ content_type }) => content_type)}::text[]) as type (thing, content_type)
      on type.thing = change.thing
  where change.space_id = ${spaceId} and change.revision = ${revisionOf(spaceId)} and change.kind = ${kind}
    and change.position >= ${from} and change.position < ${from + items.length}
) as change`

/** The table of each kind, and its columns with the id, the unique name and the body. */
const TABLES: Record<Kind, { table: string; id: string; name?: string; text?: string }> = {
  page: { table: 'pages', id: 'id', name: 'slug', text: 'html' },
  part: { table: 'parts', id: 'id', name: 'name', text: 'html' },
  record: { table: 'data_records', id: 'key', text: 'value' },
  file: { table: 'files', id: 'id' },
}

const isItem = ({ spaceId }: SpaceWrite, kind: Kind) =>
  sql`item.space_id = ${spaceId} and ${sql.ref(`item.${TABLES[kind].id}`)} = change.thing`

const remove = (write: SpaceWrite, kind: Kind, changes: Recorded) =>
  sql`delete from ${sql.table(TABLES[kind].table)} as item using ${changesOf(write, kind, changes)}
    where ${isItem(write, kind)}`.execute(write.sql)

/** Gives renamed items a temporary unique name, so that items can swap names. */
const freeNames = async (write: SpaceWrite, kind: Kind, changes: Recorded) => {
  const { table, name } = TABLES[kind]
  if (name === undefined) return
  await sql`update ${sql.table(table)} as item set ${sql.ref(name)} = '~' || item.id
    from ${changesOf(write, kind, changes)}
    where ${isItem(write, kind)} and change.before ->> 'name' <> change.after ->> 'name'`.execute(write.sql)
}

/** The columns that are set from a change, each with the SQL for its value. */
type Columns = Record<string, RawBuilder<unknown>>

const field = (name: string) => sql`change.after ->> ${sql.lit(name)}`

const INCLUDES = sql`array(select jsonb_array_elements_text(change.after -> 'includes'))`

/** @param text the body of the item */
const COLUMNS_OF: Record<Kind, (text: RawBuilder<unknown>) => Columns> = {
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

const update = async (write: SpaceWrite, kind: Kind, changes: Recorded) => {
  const { table, text } = TABLES[kind]
  // A body that stays the same is not written again.
  const body = sql`case when change.after_digest = change.before_digest then ${sql.ref(`item.${text}`)}
    else change.text end`
  const columns = Object.entries(COLUMNS_OF[kind](body)).map(
    ([column, value]) => sql`${sql.ref(column)} = ${value}`,
  )
  await sql`update ${sql.table(table)} as item
    set ${sql.join(columns)}, updated_at = greatest(${new Date()}::timestamptz, item.updated_at + interval '1 ms')
    from ${changesOf(write, kind, changes)}
    where ${isItem(write, kind)}`.execute(write.sql)
}

const insert = async (write: SpaceWrite, kind: Kind, changes: Recorded) => {
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
    updated_at: sql`${now}::timestamptz`,
  }
  await sql`insert into ${sql.table(TABLES[kind].table)} (${sql.join(Object.keys(columns).map(name => sql.ref(name)))})
    select ${sql.join(Object.values(columns))} from ${changesOf(write, kind, changes)}
    order by change.position`.execute(write.sql)
}
