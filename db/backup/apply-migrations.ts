import type { Client } from 'pg'
import type { Database } from '../database.ts'
import { migrations } from '../migrations.ts'
import { OperatorError } from '../operator-error.ts'
import { MIGRATIONS_TABLE } from './catalog.ts'

/** Names of the migrations that this version knows, oldest first. */
export const knownMigrations: readonly string[] = migrations.map(({ name }) => name)

/** The ORM's own statement for creating the table of applied migrations. */
const CREATE_TABLE = `create table if not exists ${MIGRATIONS_TABLE}
  (id serial primary key, name varchar(255) not null, executed_at timestamptz(6) not null default current_timestamp(6))`

/**
 * Runs migrations in the connection's open transaction. The ORM's migrator can't do that: it only uses connections of
 * its own pool, but a restore uses a separate connection.
 *
 * @param names the migrations to run; the oldest runs first
 */
export const applyMigrations = async (
  client: Client,
  database: Database,
  names: readonly string[],
): Promise<void> => {
  await client.query(CREATE_TABLE)
  for (const Migration of migrations.filter(({ name }) => names.includes(name))) {
    const migration = new Migration(database.orm.em.getDriver(), database.orm.config)
    await migration.up()
    for (const query of migration.getQueries()) {
      if (typeof query !== 'string')
        throw new OperatorError(`${Migration.name} has a query that is not text.`)
      await client.query(query)
    }
    await client.query(`insert into ${MIGRATIONS_TABLE} (name) values ($1)`, [Migration.name])
  }
}
