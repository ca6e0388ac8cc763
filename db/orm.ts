import { Migrator } from '@mikro-orm/migrations'
import { defineConfig, type InferDBFromKysely, MikroORM } from '@mikro-orm/postgresql'
import { Client, type ClientConfig, type Pool } from 'pg'
import { entities } from './entities.ts'
import { OpenConnections, patience } from './health.ts'
import { migrations } from './migrations.ts'
import { parseTimestamps } from './timestamp.ts'

/** A database's address: a connection string, or a socket folder with a user. */
export type DatabaseLocation =
  | { url: string }
  | { host: string; port: number; user: string; database: string }

/** Timeout in ms for the response to a statement, after which the connection is closed. */
const QUERY_TIMEOUT = 16_000

/** Timeout in ms for a new connection while the machine is not busy. */
const CONNECT_TIMEOUT = 1_500

/** Returns the timeout in ms for a connection that is opened now. */
export const connectTimeout = (): number => CONNECT_TIMEOUT + patience()

/** How the driver connects. */
export const clientConfig = (location: DatabaseLocation): ClientConfig =>
  'url' in location ? { connectionString: location.url } : { ...location, ssl: false }

/** The ORM's configuration, for the service and for generating migrations. */
export const ormConfig = (
  location: DatabaseLocation,
  poolSize: number,
  onLog: (line: string) => void,
  onPool: (pool: Pool) => void = () => {},
  connections = new OpenConnections(),
) =>
  defineConfig({
    entities,
    logger: onLog,
    colors: false,
    // The ORM's parser of connection strings supports neither socket folders nor `sslmode`; the driver's parser does.
    dbName: new Client(clientConfig(location)).database,
    extensions: [Migrator],
    migrations: {
      path: 'db/migrations',
      migrationsList: migrations,
      emit: 'ts',
      snapshotName: 'snapshot',
      // Only `make-migration.ts` writes the snapshot; running a migration must not change the source tree.
      snapshotOnMigrate: false,
    },
    pool: { min: 0, max: poolSize },
    driverOptions: {
      ...clientConfig(location),
      // The server's own timeouts are set in each transaction, because a connection pooler may refuse them as startup
      // parameters.
      query_timeout: QUERY_TIMEOUT,
      Client: connections.Client,
      // Send statements without waiting for the responses to earlier ones.
      pipeline: true,
      onPoolCreated: (pool: Pool) => {
        // The pool reads this option each time it opens or lends a connection.
        Object.defineProperty(pool.options, 'connectionTimeoutMillis', {
          get: connectTimeout,
          enumerable: true,
        })
        // The ORM makes the driver return timestamps as text. Kysely's queries need dates, so let the driver parse
        // them.
        pool.on('connect', parseTimestamps)
        connections.follow(pool)
        onPool(pool)
      },
    },
  })

/** For each open database, information that the ORM itself does not store. */
const opened = new WeakMap<
  object,
  { location: DatabaseLocation; pool: () => Pool; namesStatements: boolean }
>()

/**
 * Opens the database. Connects lazily: if the server is unreachable, the first query fails.
 *
 * @param options `poolSize`: maximum number of connections; `namesStatements`: whether repeated statements are prepared
 * under a name (a connection pooler must support that); `onLog`: called with the ORM's log lines, about migrations and
 * broken connections; `connections`: tracks the pool's connections
 */
export const openDatabase = async (
  location: DatabaseLocation,
  {
    poolSize = 10,
    namesStatements = true,
    onLog = () => {},
    onPool = () => {},
    connections = new OpenConnections(),
  }: {
    poolSize?: number
    namesStatements?: boolean
    onLog?: (line: string) => void
    onPool?: (pool: Pool) => void
    connections?: OpenConnections
  } = {},
) => {
  let pool: Pool | undefined
  const orm = await MikroORM.init(
    ormConfig(
      location,
      poolSize,
      onLog,
      created => {
        pool = created
        onPool(created)
      },
      connections,
    ),
  )
  opened.set(orm, {
    location,
    namesStatements,
    pool: () => {
      // This call makes the ORM create its pool, unless it has one already.
      orm.em.getKysely()
      return pool!
    },
  })
  return orm
}

export type Orm = Awaited<ReturnType<typeof openDatabase>>

/** Typed SQL over every table, on any connection of the pool. For a transaction see `inTransaction`. */
export const sqlOf = (orm: Orm) => orm.em.getKysely()

export type Sql = ReturnType<typeof sqlOf>

/** The row type of every table. */
export type Tables = InferDBFromKysely<Sql>

/** The connection pool of a database, for transactions. */
export const poolOf = (orm: Orm): Pool => opened.get(orm)!.pool()

/** The address that the database was opened at. */
export const locationOf = (orm: Orm): DatabaseLocation => opened.get(orm)!.location

/** Whether repeated statements are prepared under a name. */
export const namesStatements = (orm: Orm): boolean => opened.get(orm)!.namesStatements
