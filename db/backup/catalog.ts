import type { Client } from 'pg'
import { OperatorError } from '../operator-error.ts'

/**
 * The table in which the ORM records the applied migrations. A backup lists them in its header and leaves out this
 * table.
 */
export const MIGRATIONS_TABLE = 'mikro_orm_migrations'

/** A table as the database describes it. */
export interface Table {
  name: string
  /** Name and type of each stored column, such as `id text`. */
  columns: string[]
  /** Names of the columns, in the same order as in `columns`. */
  columnNames: string[]
  /** Estimated size of the data in bytes. */
  size: number
}

const TABLES = `
  select
    c.relname as name,
    pg_table_size(c.oid)::float8 as size,
    array(select a.attname || ' ' || format_type(a.atttypid, a.atttypmod) from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      order by a.attnum) as columns,
    array(select a.attname::text from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      order by a.attnum) as column_names,
    array(select distinct parent.relname::text from pg_constraint k join pg_class parent on parent.oid = k.confrelid
      where k.conrelid = c.oid and k.contype = 'f' and parent.oid <> c.oid) as parents
  from pg_class c
  where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace
  order by c.relname`

/** Lists the tables of the current schema, each after the tables that it refers to. */
export const listTables = async (client: Client): Promise<Table[]> => {
  const { rows } = await client.query<{
    name: string
    size: number
    columns: string[]
    column_names: string[]
    parents: string[]
  }>(TABLES)
  const sorted: Table[] = []
  const placed = new Set<string>()
  for (let left = rows; left.length > 0; ) {
    const ready = left.filter(({ parents }) => parents.every(parent => placed.has(parent)))
    if (ready.length === 0)
      throw new OperatorError(`The tables ${left.map(({ name }) => name).join(', ')} refer to each other.`)
    for (const { name, size, columns, column_names } of ready) {
      placed.add(name)
      sorted.push({ name, size, columns, columnNames: column_names })
    }
    left = left.filter(({ name }) => !placed.has(name))
  }
  return sorted
}

const DEPENDENT = `
  with recursive dependent(oid) as (
    select oid from pg_class
      where relname = any($1) and relkind = 'r' and relnamespace = current_schema()::regnamespace
    union select k.conrelid from pg_constraint k join dependent on k.confrelid = dependent.oid and k.contype = 'f'
  )
  select relname as name from dependent join pg_class using (oid)
    where relname <> all($1) and relnamespace = current_schema()::regnamespace`

/** Returns the names of other tables of the current schema that refer to the given ones, directly or not. */
export const listDependent = async (client: Client, names: readonly string[]): Promise<string[]> => {
  const { rows } = await client.query<{ name: string }>(DEPENDENT, [names])
  return rows.map(({ name }) => name)
}

/** Names of the applied migrations, oldest first; empty in a database without any. */
export const listMigrations = async (client: Client): Promise<string[]> => {
  const exists = await client.query('select to_regclass($1) is not null as yes', [MIGRATIONS_TABLE])
  if (!(exists.rows[0] as { yes: boolean }).yes) return []
  const { rows } = await client.query<{ name: string }>(`select name from ${MIGRATIONS_TABLE} order by id`)
  return rows.map(({ name }) => name)
}

/**
 * Returns the number and total size of the blobs whose bytes are in the file store. A backup leaves these bytes out.
 */
export const countObjects = async (client: Client): Promise<{ count: number; bytes: number }> => {
  const { rows } = await client.query<{ count: number; bytes: number }>(
    'select count(*)::float8 as count, coalesce(sum(size), 0)::float8 as bytes from blobs where object is not null',
  )
  return rows[0]!
}

const SEQUENCES = `
  select table_class.relname as table, a.attname as column, sequence.relname as sequence
  from pg_depend d
  join pg_class sequence on sequence.oid = d.objid and sequence.relkind = 'S'
  join pg_class table_class on table_class.oid = d.refobjid
  join pg_attribute a on a.attrelid = d.refobjid and a.attnum = d.refobjsubid
  where d.deptype in ('a', 'i') and table_class.relnamespace = current_schema()::regnamespace
  order by 1, 2`

/** Lists the columns that take their values from a sequence, with the names of the sequences. */
export const listSequences = async (client: Client) =>
  (await client.query<{ table: string; column: string; sequence: string }>(SEQUENCES)).rows
