import { readFile } from 'node:fs/promises'
import { Client } from 'pg'
import { nodesOf, type Plan } from './plans.ts'
import type { Statement } from './statements.ts'

/** The text of `distribute.sql`. */
export const DISTRIBUTE = await readFile(new URL('../../db/distribute.sql', import.meta.url), 'utf8')

/**
 * Stands in for Citus. The functions that `distribute.sql` calls do nothing, and the function that runs a command on all
 * servers runs it once. The table of servers tells the service that content is distributed.
 */
const CITUS = `
  create table pg_dist_node (nodeid int, nodename text, nodeport int, noderole text, shouldhaveshards boolean);
  create function create_distributed_table(regclass, text, colocate_with text default 'default') returns void
    language plpgsql as 'begin end';
  create function truncate_local_data_after_distributing_table(regclass) returns void
    language plpgsql as 'begin end';
  create function run_command_on_all_nodes(command text) returns table (result text)
    language plpgsql as 'begin return query execute format($$select result::text from (%s) as command(result)$$, command); end';`

/** The tables that `distribute.sql` distributes, each with the column by which it is distributed, in script order. */
export const DISTRIBUTED: Readonly<Record<string, string>> = Object.fromEntries(
  DISTRIBUTE.matchAll(/create_distributed_table\('(\w+)', '(\w+)'/g).map(([, table, column]) => [
    table,
    column,
  ]),
)

/** Number of partitions of each table. */
const PARTITIONS = 4

/**
 * Number of the first partition. The names of its table and indexes end with this number. Citus uses similar numbers.
 */
const FIRST = 102_040

/** Returns the tables and partitions that a statement reads and writes. Plans the statement, but does not run it. */
export const relationsOf = async (client: Client, { text, values }: Statement): Promise<string[]> => {
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
    `explain (format json) ${text}`,
    values,
  )
  const nodes = nodesOf(rows[0]!['QUERY PLAN'][0].Plan)
  return [...new Set(nodes.flatMap(node => node['Relation Name'] ?? []))]
}

/** Runs `distribute.sql`, which distributes nothing without Citus. */
export const runDistribution = async (client: Client): Promise<void> => {
  await client.query(CITUS)
  await client.query(DISTRIBUTE)
}

/** Returns the number in the name of a partition, or undefined for a table that is not partitioned. */
export const partitionIn = (relation: string): string | undefined => /_(\d{6})$/.exec(relation)?.[1]

interface Key {
  table: string
  name: string
  definition: string
}

/**
 * Runs `distribute.sql` on a database without rows, and divides the distributed tables into PostgreSQL
 * partitions. Partitioned tables resemble the distributed tables of Citus in two ways: every unique key must
 * contain the id of the space, and an error names the index of a partition, such as `pages_slug_unique_102041`.
 */
export const partitionContent = async (url: string): Promise<void> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await runDistribution(client)
    await client.query('begin')
    const keys = await dropForeignKeys(client, Object.keys(DISTRIBUTED))
    for (const [table, column] of Object.entries(DISTRIBUTED)) await partition(client, table, column)
    for (const { table, name, definition } of keys)
      await client.query(`alter table "${table}" add constraint "${name}" ${definition}`)
    await client.query('commit')
  } finally {
    await client.end()
  }
}

/** Drops the foreign keys of these tables, and returns them. */
const dropForeignKeys = async (client: Client, tables: string[]): Promise<Key[]> => {
  const { rows } = await client.query<Key>(
    `select conrelid::regclass::text as "table", conname as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and conrelid::regclass::text = any($1)`,
    [tables],
  )
  for (const { table, name } of rows) await client.query(`alter table "${table}" drop constraint "${name}"`)
  return rows
}

const partition = async (client: Client, table: string, column: string): Promise<void> => {
  const indexes = await client.query<{ name: string; definition: string; primary: boolean }>(
    `select relname as name, pg_get_indexdef(oid) as definition, indisprimary as primary
     from pg_index join pg_class on oid = indexrelid where indrelid = $1::regclass`,
    [table],
  )
  const sequences = await client.query<{ name: string }>(
    `select objid::regclass::text as name from pg_depend join pg_class on oid = objid
     where refobjid = $1::regclass and deptype in ('a', 'i') and relkind = 'S'`,
    [table],
  )
  for (const { name } of sequences.rows) await client.query(`alter sequence ${name} owned by none`)
  const triggers = await triggersOf(client, [table])
  await client.query(`alter table "${table}" rename to "${table}_plain"`)
  await client.query(
    `create table "${table}" (like "${table}_plain" including defaults including constraints including storage)
     partition by hash ("${column}")`,
  )
  await client.query(`drop table "${table}_plain"`)
  for (const { name, definition, primary } of indexes.rows) {
    const columns = / using btree (\(.*?\))( where|$)/i.exec(definition)![1]!
    await client.query(
      primary ? `alter table "${table}" add constraint "${name}" primary key ${columns}` : definition,
    )
  }
  for (let n = 0; n < PARTITIONS; n++) {
    const name = `${table}_${FIRST + n}`
    await client.query(
      `create table "${name}" partition of "${table}" for values with (modulus ${PARTITIONS}, remainder ${n})`,
    )
    const children = await client.query<{ parent: string; child: string }>(
      `select parent.relname as parent, child.relname as child
       from pg_inherits join pg_index on indexrelid = inhrelid
         join pg_class as child on child.oid = inhrelid join pg_class as parent on parent.oid = inhparent
       where indrelid = $1::regclass`,
      [name],
    )
    for (const { parent, child } of children.rows)
      await client.query(`alter index "${child}" rename to "${parent}_${FIRST + n}"`)
  }
  for (const trigger of triggers) await client.query(trigger)
}

/** Returns the statements that create the triggers of these tables, except those of foreign keys. */
export const triggersOf = async (client: Client, tables: readonly string[]): Promise<string[]> => {
  const { rows } = await client.query<{ definition: string }>(
    `select pg_get_triggerdef(oid) as definition from pg_trigger
     where not tgisinternal and tgrelid::regclass::text = any($1) order by 1`,
    [tables],
  )
  return rows.map(({ definition }) => definition)
}
