import type { Logger } from 'pino'
import { ensureDatabase, startEmbeddedPostgres } from '../db/embedded/postgres.ts'
import { findRunningPostgres } from '../db/embedded/running.ts'
import type { DatabaseLocation } from '../db/orm.ts'
import type { Settings } from './settings.ts'

/** The service's database on the server that comes along. */
const NAME = 'space_site'

/** A database, and how to let go of it. */
export interface LocatedDatabase {
  location: DatabaseLocation
  stop(): Promise<void>
}

/**
 * The database of the settings; starts the server that comes along where they name none.
 *
 * @param onDeath hears when that server ends by itself
 * @throws EmbeddedPostgresError with what to do
 */
export const locateDatabase = async (
  { databaseUrl, dataFolder }: Settings,
  log: Logger,
  onDeath: (reason: string) => void,
): Promise<LocatedDatabase> => {
  if (databaseUrl) return { location: { url: databaseUrl }, stop: () => Promise.resolve() }
  const server = await startEmbeddedPostgres({
    folder: dataFolder,
    onLog: line => log[/^(WARNING|ERROR|FATAL|PANIC):/.test(line) ? 'warn' : 'debug']({ line }, 'database'),
  })
  void server.died.then(onDeath)
  await ensureDatabase(server, NAME)
  return { location: { ...server.connection, database: NAME }, stop: () => server.stop() }
}

/** For commands beside the service: joins the server that a running service has, or starts it for itself. */
export const joinDatabase = async (settings: Settings, log: Logger): Promise<LocatedDatabase> => {
  const running = settings.databaseUrl ? null : await findRunningPostgres(settings.dataFolder)
  if (!running) return locateDatabase(settings, log, () => {})
  return { location: { ...running.connection, database: NAME }, stop: () => Promise.resolve() }
}
