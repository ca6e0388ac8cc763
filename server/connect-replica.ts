import type { Client } from 'pg'
import type { Logger } from 'pino'
import { OpenConnections } from '../db/health.ts'
import { clientConfig, type Orm, openDatabase, sqlOf } from '../db/orm.ts'
import { ReadLane } from '../db/read-lane.ts'
import { Replica } from '../db/replica.ts'
import { setStatementRunner } from '../db/statements.ts'
import type { OnStop } from './closing.ts'
import type { Settings } from './settings.ts'

/**
 * Connects to the read replica, which need not be reachable.
 *
 * @param url its address; undefined if there is none
 * @param traceQueries called with each new connection
 */
export const connectReplica = async (
  url: string | undefined,
  primary: Orm,
  { databasePool, preparedStatements }: Pick<Settings, 'databasePool' | 'preparedStatements'>,
  log: Logger,
  onStop: OnStop,
  traceQueries?: (client: Client) => void,
): Promise<Replica | null> => {
  if (url === undefined) return null
  const location = { url }
  const connections = new OpenConnections(traceQueries)
  const orm = await openDatabase(location, {
    poolSize: databasePool,
    namesStatements: preparedStatements,
    onLog: line => log.debug({ line }, 'orm'),
    connections,
  })
  onStop(() => orm.close())
  const lane = new ReadLane(clientConfig(location), connections, preparedStatements)
  onStop(() => lane.close())
  setStatementRunner(sqlOf(orm), (...statement) => lane.query(...statement))
  const replica = new Replica({
    replica: sqlOf(orm),
    primary: sqlOf(primary),
    cut: () => connections.cut(),
    onChange: (isAvailable, reason) =>
      isAvailable
        ? log.info('The read replica is available')
        : log.warn({ reason }, 'The read replica is unavailable'),
  })
  onStop(() => {
    replica.stop()
    // Otherwise, closing the connections to a frozen server would wait forever.
    connections.cut()
  })
  return replica
}
