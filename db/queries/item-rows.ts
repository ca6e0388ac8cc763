import { type Insertable, sql } from 'kysely'
import { compileOnceRows, preparedRows } from '../compile-once.ts'
import type { Tables } from '../database.ts'
import type { SpaceWrite } from '../space-write.ts'
import { deleteOrigin, hasOrigin, insertOrigin } from './spaces.ts'

/** The table of each kind of item. */
interface ItemTables {
  page: Tables['pages']
  part: Tables['parts']
  record: Tables['data_records']
  file: Tables['files']
}

/** The kinds of items that have a table of their own. */
export type ItemKind = keyof ItemTables

/** The table of each kind, and its columns with the id, the name and the body. */
export const TABLES: Record<ItemKind, { table: string; id: string; name: string; body?: string }> = {
  page: { table: 'pages', id: 'id', name: 'slug', body: 'html' },
  part: { table: 'parts', id: 'id', name: 'name', body: 'html' },
  record: { table: 'data_records', id: 'key', name: 'key', body: 'value' },
  file: { table: 'files', id: 'id', name: 'name' },
}

type ColumnOf<Kind extends ItemKind> = Exclude<keyof ItemTables[Kind], 'space_id'>

/**
 * The columns of each kind of item, with their types. Everything that reads, writes, compares or restores whole items
 * follows from this list.
 */
export const COLUMNS: { [Kind in ItemKind]: Record<ColumnOf<Kind>, string> } = {
  page: {
    id: 'text',
    slug: 'text',
    kind: 'text',
    html: 'text',
    includes: 'text[]',
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
  },
  part: {
    id: 'text',
    name: 'text',
    html: 'text',
    length: 'int',
    includes: 'text[]',
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
  },
  record: {
    key: 'text',
    value: 'text',
    size: 'int',
    description: 'text',
    version: 'int',
    updated_at: 'timestamptz',
  },
  file: {
    id: 'text',
    position: 'bigint',
    name: 'text',
    content_type: 'text',
    size: 'int',
    digest: 'bytea',
    uploaded_by_id: 'text',
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
  },
}

/** Columns that follow from the body or from other columns, never change, or change with every write. */
export const NOT_COMPARED: readonly string[] = [
  'version',
  'size',
  'length',
  'includes',
  'content_type',
  'created_at',
  'position',
  'uploaded_by_id',
]

/** Columns that the trigger `record_change` does not record as fields of an item. */
export const NOT_RECORDED: readonly string[] = [
  'space_id',
  'id',
  'key',
  'html',
  'value',
  'digest',
  'updated_at',
]

/** Returns the names of the columns of a kind of item, without those in `left`. */
export const columnsOf = <Kind extends ItemKind, Left extends ColumnOf<Kind> = never>(
  kind: Kind,
  left: readonly Left[] = [],
) =>
  Object.keys(COLUMNS[kind]).filter(name => !(left as readonly string[]).includes(name)) as Exclude<
    ColumnOf<Kind>,
    Left
  >[]

/** The columns of an item, as they are written. */
export type NewItemRow<Kind extends ItemKind> = Omit<Required<Insertable<ItemTables[Kind]>>, 'space_id'>

/** The columns that are set only when an item is added. */
export const ONLY_NEW = ['created_at', 'position', 'uploaded_by_id'] as const

type OnlyNew = (typeof ONLY_NEW)[number] | 'id' | 'key'

/** The columns that a change of an item sets. */
export type ChangedRow<Kind extends ItemKind> = Omit<NewItemRow<Kind>, OnlyNew>

/** Builds something for each kind of item. */
export const forEachKind = <Result>(build: (kind: ItemKind) => Result) =>
  Object.fromEntries(Object.keys(TABLES).map(kind => [kind, build(kind as ItemKind)])) as Record<
    ItemKind,
    Result
  >

type Values = Record<string, unknown>

const INSERTS = forEachKind(kind => {
  const names = Object.keys(COLUMNS[kind])
  return preparedRows((db, row: Values) => ({
    compile: () =>
      sql`insert into ${sql.table(TABLES[kind].table)} (space_id, ${sql.join(names.map(name => sql.ref(name)))})
        values (${row.spaceId}, ${sql.join(
          names.map(name => (name === 'position' ? sql`nextval('files_position_seq')` : row[name])),
        )})`.compile(db),
  }))
})

/**
 * Inserts an item.
 *
 * @throws a violation of `pages_slug_unique` or `parts_name_unique` if the name of a page or part is taken
 */
export const insertItem = <Kind extends ItemKind>(
  { sql: db, spaceId }: SpaceWrite,
  kind: Kind,
  row: Omit<NewItemRow<Kind>, 'position'>,
): Promise<unknown> => {
  const values: Values = { ...row, spaceId }
  return Promise.all([
    hasOrigin(kind) && insertOrigin(db, spaceId, kind, String(values.id)),
    INSERTS[kind](db, values),
  ])
}

const updating = (kind: ItemKind, left: readonly string[]) => {
  const { table, id } = TABLES[kind]
  const names = Object.keys(COLUMNS[kind]).filter(name => name !== id && !left.includes(name))
  return preparedRows((db, row: Values) => ({
    compile: () =>
      sql`update ${sql.table(table)}
        set ${sql.join(names.map(name => sql`${sql.ref(name)} = ${row[name]}`))}
        where space_id = ${row.spaceId} and ${sql.ref(id)} = ${row.thing}`.compile(db),
  }))
}

const UPDATES = forEachKind(kind => updating(kind, ONLY_NEW))

/**
 * Changes an item.
 *
 * @throws like {@link insertItem}
 */
export const updateItem = <Kind extends ItemKind>(
  { sql: db, spaceId }: SpaceWrite,
  kind: Kind,
  thing: string,
  row: ChangedRow<Kind>,
): Promise<unknown> => UPDATES[kind](db, { ...row, spaceId, thing })

const updateHead = updating('page', [...ONLY_NEW, 'html', 'includes'])

/** Changes a page that keeps its body, which can be long. See {@link updateItem}. */
export const updatePageHead = (
  { sql: db, spaceId }: SpaceWrite,
  thing: string,
  row: Omit<ChangedRow<'page'>, 'html' | 'includes'>,
): Promise<unknown> => updateHead(db, { ...row, spaceId, thing })

const DELETES = forEachKind(kind => {
  const { table, id, name } = TABLES[kind]
  return compileOnceRows((db, spaceId: string, thing: string) => ({
    compile: () =>
      sql<{ name: string }>`delete from ${sql.table(table)}
        where space_id = ${spaceId} and ${sql.ref(id)} = ${thing} returning ${sql.ref(name)} as name`.compile(
        db,
      ),
  }))
})

/**
 * Deletes an item. The bytes of a file stay while the history refers to them.
 *
 * @returns its slug, name or key; undefined if there was no such item
 */
export const deleteItem = async (
  { sql: db, spaceId }: SpaceWrite,
  kind: ItemKind,
  thing: string,
): Promise<string | undefined> => {
  const [, deleted] = await Promise.all([
    hasOrigin(kind) && deleteOrigin(db, spaceId, kind, thing),
    DELETES[kind](db, spaceId, thing),
  ])
  return deleted[0]?.name
}
