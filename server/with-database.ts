import { EmbeddedPostgresError } from '../db/embedded/error.ts'
import { type Orm, openDatabase } from '../db/orm.ts'
import { Problem } from '../routers/core/problem.ts'
import { joinDatabase, requireData } from './locate-database.ts'
import { openLog } from './log.ts'
import { readSettings, type Settings, SettingsError } from './settings.ts'

/**
 * Runs the work of a command-line tool with the database that the environment names, whether or not the service is
 * running. Prints errors that the operator or the caller can fix, and throws all other errors.
 */
export const withDatabase = async (work: (orm: Orm, settings: Settings) => Promise<void>): Promise<void> => {
  try {
    await connectFor(readSettings(process.env), work)
  } catch (error) {
    const isExplained = [SettingsError, EmbeddedPostgresError, Problem].some(type => error instanceof type)
    if (!isExplained) throw error
    refuse((error as Error).message)
  }
}

const connectFor = async (settings: Settings, work: Parameters<typeof withDatabase>[0]): Promise<void> => {
  await requireData(settings)
  const database = await joinDatabase(settings, await openLog('warn'))
  const orm = await openDatabase(database.location, {
    poolSize: 2,
    namesStatements: settings.preparedStatements,
  })
  try {
    await work(orm, settings)
  } finally {
    await orm.close()
    await database.stop()
  }
}

/** Prints why a command did nothing. The process ends with exit code 1 after cleaning up. */
export const refuse = (message: string): void => {
  process.stderr.write(`${message}\n`)
  process.exitCode = 1
}
