import { access } from 'node:fs/promises'
import path from 'node:path'
import type { Logger } from 'pino'
import type { DatabaseLocation } from '../../db/database.ts'
import { EmbeddedPostgresError } from '../../db/embedded/error.ts'
import { ensureDatabase, findRunningPostgres } from '../../db/embedded/postgres.ts'
import type { Settings } from '../settings/settings.ts'
import { superviseDatabase } from './supervise.ts'

/** Name of the service's database on the embedded server. */
const NAME = 'space_site'

/** Number of connections to the embedded server for each process, in addition to its pool. */
export const OUTSIDE_POOL = 5
/** Number of connections to the embedded server for other programs, such as backups. */
const OTHERS = 35

/** Where the database is, and how to release it. */
export interface LocatedDatabase {
  location: DatabaseLocation
  stop(): Promise<void>
}

/**
 * Returns the database named in the settings. Without one, starts the embedded PostgreSQL.
 *
 * @param onDeath called with the reason if the embedded server ends unexpectedly
 * @throws EmbeddedPostgresError with a message that says what to do
 */
export const locateDatabase = async (
  { databaseUrl, dataFolder, databasePool, webConcurrency }: Settings,
  log: Logger,
  onDeath: (reason: string) => void,
): Promise<LocatedDatabase> => {
  if (databaseUrl) return { location: { url: databaseUrl }, stop: () => Promise.resolve() }
  const connections = webConcurrency * (databasePool + OUTSIDE_POOL) + OTHERS
  const server = await superviseDatabase(dataFolder, connections, log, onDeath)
  await ensureDatabase(server, NAME)
  return { location: { ...server.connection, database: NAME }, stop: () => server.stop() }
}

/** For command-line tools: connects to the embedded server of a running service, or starts one. */
export const joinDatabase = async (settings: Settings, log: Logger): Promise<LocatedDatabase> => {
  const running = settings.databaseUrl ? null : await findRunningPostgres(settings.dataFolder)
  if (!running) return locateDatabase(settings, log, () => {})
  return { location: { ...running.connection, database: NAME }, stop: () => Promise.resolve() }
}

/**
 * Requires that the embedded database exists, for command-line tools that must not create one.
 *
 * @throws EmbeddedPostgresError when the embedded database has never been started
 */
export const requireData = async ({ databaseUrl, dataFolder }: Settings): Promise<void> => {
  const found =
    databaseUrl ||
    (await access(path.join(dataFolder, 'data', 'PG_VERSION')).then(
      () => true,
      () => false,
    ))
  if (!found)
    throw new EmbeddedPostgresError(`There is no database in ${dataFolder}. Set DATA_DIR or DATABASE_URL.`)
}
