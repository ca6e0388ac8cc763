import { setTimeout as sleep } from 'node:timers/promises'
import { Migrator } from '@mikro-orm/migrations'
import { defineConfig, type InferKyselyDB, MikroORM } from '@mikro-orm/postgresql'
import { Kysely, PostgresDialect } from 'kysely'
import { Client, type ClientConfig, Pool, type QueryResultRow } from 'pg'
import type { PipelinedClient } from './client.ts'
import { entities } from './entities.ts'
import { migrations } from './migrations.ts'
import { ReadLane } from './read-lane.ts'
import { connectTimeout, OpenConnections } from './watch-database.ts'

/** A database's address: a connection string, or a socket folder with a user. */
export type DatabaseLocation =
  | { url: string }
  | { host: string; port: number; user: string; database: string }

/** Timeout in ms for the response to a statement, after which the connection is closed. */
const QUERY_TIMEOUT = 16_000

/** How long connections may take to end, in ms; longer than a statement, which ends first. */
const CLOSE_TIMEOUT = QUERY_TIMEOUT + 4_000

/** How the driver connects. */
export const clientConfig = (location: DatabaseLocation): ClientConfig =>
  'url' in location ? { connectionString: location.url } : { ...location, ssl: false }

/**
 * The ORM's configuration, for the service and for generating migrations.
 *
 * @param client runs the ORM's statements
 */
export const ormConfig = (
  location: DatabaseLocation,
  client: Kysely<Tables>,
  onLog: (line: string) => void,
) =>
  defineConfig({
    entities,
    logger: onLog,
    colors: false,
    // The ORM's parser of connection strings supports neither socket folders nor `sslmode`; the driver's parser does.
    dbName: new Client(clientConfig(location)).database,
    driverOptions: client,
    extensions: [Migrator],
    migrations: {
      path: 'db/migrations',
      migrationsList: migrations,
      emit: 'ts',
      snapshotName: 'snapshot',
      // Only `make-migration.ts` writes the snapshot; running a migration must not change the source tree.
      snapshotOnMigrate: false,
    },
  })

const initOrm = (...settings: Parameters<typeof ormConfig>) => MikroORM.init(ormConfig(...settings))

/** The ORM on a database, for migrations and the schema. */
type Orm = Awaited<ReturnType<typeof initOrm>>

/** The row type of every table. */
export type Tables = InferKyselyDB<(typeof entities)[number], object>

/** Typed SQL over every table, in a transaction or on any connection. */
export abstract class Sql extends Kysely<Tables> {
  /**
   * Whether the content of spaces is on content servers, not on the server of the directory. A statement whose `with`
   * clause writes to a table then involves all servers, and fails while one of them is down. So a write to a space uses
   * several statements. Without content servers, it uses one statement, which is a little faster.
   */
  abstract readonly isDistributed: boolean

  /**
   * Runs a named statement: the server parses and plans it once for each connection.
   *
   * @param isShared whether concurrent calls with the same values share one execution and get the same row objects;
   * ignored in transactions
   */
  abstract run<Row extends QueryResultRow>(
    name: string,
    text: string,
    values: unknown[],
    isShared: boolean,
  ): Promise<Row[]>
}

/** Options for {@link Database.open}. */
interface DatabaseOptions {
  /** Maximum number of connections for transactions. */
  poolSize?: number
  /** Whether repeated statements are prepared under a name; a connection pooler must support that. */
  namesStatements?: boolean
  /** Called with the ORM's log lines, about migrations, and with lines about broken connections. */
  onLog?: (line: string) => void
  /** Tracks the connections. */
  connections?: OpenConnections
}

/** An open database. Queries on it run outside of transactions and must not write, unless they are statements alone. */
export class Database extends Sql {
  readonly location: DatabaseLocation
  /** The connections for transactions. */
  readonly pool: Pool
  /** The connections for prepared reads. */
  readonly reads: ReadLane
  override isDistributed = false
  #orm: Orm | undefined

  private constructor(location: DatabaseLocation, pool: Pool, reads: ReadLane) {
    super({ dialect: new PostgresDialect({ pool }) })
    this.location = location
    this.pool = pool
    this.reads = reads
  }

  /** Opens a database. Connects lazily: if the server is unreachable, the first query fails. */
  static async open(
    location: DatabaseLocation,
    {
      poolSize = 10,
      namesStatements = true,
      onLog = () => {},
      connections = new OpenConnections(),
    }: DatabaseOptions = {},
  ): Promise<Database> {
    const config = { ...clientConfig(location), namesStatements }
    const pool = new Pool({
      ...config,
      max: poolSize,
      // The server's own timeouts are set in each transaction, because a connection pooler may refuse them as startup
      // parameters.
      query_timeout: QUERY_TIMEOUT,
      // The types of the pool claim that it passes no configuration.
      Client: connections.Client as unknown as new () => PipelinedClient,
    })
    // The pool reads this option each time it opens or lends a connection.
    Object.defineProperty(pool.options, 'connectionTimeoutMillis', { get: connectTimeout, enumerable: true })
    connections.follow(pool, error => onLog(`A connection to the database broke: ${error.message}`))
    const database = new Database(location, pool, new ReadLane(config, connections))
    database.#orm = await initOrm(location, database, onLog)
    return database
  }

  /** The ORM on this database, for migrations and the schema. */
  get orm(): Orm {
    return this.#orm!
  }

  override run<Row extends QueryResultRow>(
    name: string,
    text: string,
    values: unknown[],
    isShared: boolean,
  ): Promise<Row[]> {
    return this.reads.query<Row>(name, text, values, isShared)
  }

  /** Ends all connections. Leaves those to the end of the process that still wait for an answer after some seconds. */
  async close(): Promise<void> {
    await Promise.race([this.#disconnect(), sleep(CLOSE_TIMEOUT, undefined, { ref: false })])
  }

  async #disconnect(): Promise<void> {
    await this.reads.close()
    await this.orm.close()
    if (!this.pool.ending) await this.pool.end()
  }
}
