import { Migrator } from '@mikro-orm/migrations'
import { defineConfig, MikroORM } from '@mikro-orm/postgresql'
import type { InferDBFromKysely } from '@mikro-orm/sql'
import type { Pool } from 'pg'
import { parse } from 'pg-connection-string'
import { entities } from './entities.ts'
import { migrations } from './migrations.ts'

/** Where the database is: a connection string, or a socket folder with a user. */
export type DatabaseLocation =
  | { url: string }
  | { host: string; port: number; user: string; database: string }

/** OID of timestamptz in PostgreSQL's catalogue. */
const TIMESTAMPTZ = 1184

/** How long, in milliseconds, a request may wait for a connection or a statement before it fails. */
const PATIENCE = { connection: 5_000, statement: 15_000, idleInTransaction: 15_000 }

/** What the ORM and its command line share. */
export const ormConfig = (location: DatabaseLocation, poolSize: number, onLog: (line: string) => void) =>
  defineConfig({
    entities,
    logger: onLog,
    colors: false,
    // The ORM's own reading of a connection string knows no socket folder and no `sslmode`; the driver's does.
    dbName: 'url' in location ? (parse(location.url).database ?? undefined) : location.database,
    extensions: [Migrator],
    migrations: {
      path: 'db/migrations',
      migrationsList: migrations,
      emit: 'ts',
      snapshotName: 'snapshot',
    },
    pool: { min: 0, max: poolSize },
    driverOptions: {
      ...('url' in location
        ? { connectionString: location.url }
        : { host: location.host, port: location.port, user: location.user }),
      connectionTimeoutMillis: PATIENCE.connection,
      statement_timeout: PATIENCE.statement,
      idle_in_transaction_session_timeout: PATIENCE.idleInTransaction,
      // The ORM leaves points in time as text for itself to parse; queries beside it get dates like this.
      onPoolCreated: (pool: Pool) =>
        pool.on('connect', client => client.setTypeParser(TIMESTAMPTZ, (text: string) => new Date(text))),
    },
  })

/**
 * Opens the database. Connects lazily: an unreachable server shows at the first query.
 *
 * @param location where it is
 * @param poolSize most connections held at once
 * @param onLog gets what the ORM has to say: migrations as they run, connections that break
 */
export const openDatabase = (
  location: DatabaseLocation,
  poolSize = 10,
  onLog: (line: string) => void = () => {},
) => MikroORM.init(ormConfig(location, poolSize, onLog))

export type Orm = Awaited<ReturnType<typeof openDatabase>>

/** Typed SQL over every table, on any connection of the pool. For a transaction see `inTransaction`. */
export const sqlOf = (orm: Orm) => orm.em.getKysely()

export type Sql = ReturnType<typeof sqlOf>

/** Rows of every table, by table. */
export type Tables = InferDBFromKysely<Sql>
