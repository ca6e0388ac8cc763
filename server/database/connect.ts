import type { Client } from 'pg'
import type { Logger } from 'pino'
import { clientConfig, Database, type DatabaseLocation } from '../../db/database.ts'
import { type DatabaseHealth, OpenConnections, watchDatabase } from '../../db/watch-database.ts'
import type { OnStop } from '../lifecycle.ts'
import type { Settings } from '../settings/settings.ts'
import type { Gauges } from '../telemetry/metrics.ts'
import { migrateSafely } from './migrate-safely.ts'

/** The connections to the migrated database. */
interface ConnectedDatabase {
  database: Database
  /** False while the server refuses connections or sends nothing; true before the first probe. */
  readonly isUp: boolean
  /** Starts to probe the server. */
  watch(): void
  /** The load of the connections, for metrics. */
  gauges: Pick<Gauges, 'pool' | 'reads'>
}

/**
 * Connects to the database and migrates it.
 *
 * @param traceQueries called with each new connection
 */
export const connectDatabase = async (
  location: DatabaseLocation,
  settings: Pick<Settings, 'databasePool' | 'preparedStatements' | 'databaseUrl' | 'backups'>,
  log: Logger,
  onStop: OnStop,
  traceQueries?: (client: Client) => void,
): Promise<ConnectedDatabase> => {
  const connections = new OpenConnections(traceQueries)
  const database = await Database.open(location, {
    poolSize: settings.databasePool,
    namesStatements: settings.preparedStatements,
    onLog: line => log.debug({ line }, 'orm'),
    connections,
  })
  onStop(async () => {
    await database.close()
    // Closing the pools does not wait until their connections have ended. An embedded server that stops while a
    // connection is open logs an error.
    await connections.ended()
  })
  await migrateSafely(database, settings, log)
  let health: DatabaseHealth | undefined
  onStop(() => health?.stop())
  return {
    database,
    get isUp() {
      return health?.isUp ?? true
    },
    watch: () => {
      health = watchDatabase(clientConfig(location), connections, (isUp, reason) =>
        isUp
          ? log.info('The database responds again')
          : log.error({ reason }, 'The database does not respond'),
      )
    },
    gauges: {
      pool: () => ({
        used: database.pool.totalCount - database.pool.idleCount,
        idle: database.pool.idleCount,
        waiting: database.pool.waitingCount,
      }),
      reads: () => database.reads.load,
    },
  }
}
