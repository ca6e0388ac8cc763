import type { Logger } from 'pino'
import { ContentServers, hasContentServers } from '../../db/content-servers.ts'
import type { Database } from '../../db/database.ts'
import type { OnStop } from '../lifecycle.ts'
import { repeat } from '../lifecycle.ts'

/** Time between two probes, in ms. */
const INTERVAL = 3_000

/**
 * Watches the content servers. Also marks the content as distributed, so that a write to a space uses statements that
 * each need only one server.
 *
 * @returns null if content is not distributed
 */
export const watchContentServers = async (
  database: Database,
  log: Logger,
  onStop: OnStop,
): Promise<ContentServers | null> => {
  if (!(await hasContentServers(database))) return null
  database.isDistributed = true
  const servers = new ContentServers(database, (server, isUp) =>
    isUp
      ? log.info({ server }, 'A content server responds again')
      : log.error({ server }, 'A content server does not respond'),
  )
  // If the Citus coordinator is down, this probe fails. Log the failure only at the debug level, because the probe of
  // the database already logs that the database does not respond.
  const probing = repeat(
    INTERVAL,
    () => servers.probe(),
    err => log.debug({ err }, 'Could not probe the content servers'),
  )
  onStop(() => probing.stop())
  return servers
}
