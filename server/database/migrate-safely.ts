import { mkdir, readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Logger } from 'pino'
import { createBackup } from '../../db/backup/create.ts'
import type { Database } from '../../db/database.ts'
import { migrate } from '../../db/migrate.ts'
import { OperatorError } from '../../db/operator-error.ts'
import type { Settings } from '../settings/settings.ts'

/** The names of backups that were written before an update begin with this. */
const PREFIX = 'before-update-'

/**
 * Applies the pending migrations. Before it changes an embedded database that is in use, it backs the database up: other
 * databases are the operator's to back up, like at any other time.
 *
 * @throws OperatorError when the backup fails; nothing has been migrated then
 */
export const migrateSafely = async (
  database: Database,
  { databaseUrl, backups }: Pick<Settings, 'databaseUrl' | 'backups'>,
  log: Logger,
): Promise<void> => {
  let backup: string | undefined
  const applied = await migrate(database, async () => {
    if (databaseUrl === undefined && backups.everyHours > 0)
      backup = await backUp(database, backups.folder, log)
  })
  if (applied.length === 0) return
  log.info({ count: applied.length, latest: applied.at(-1) }, 'Applied database migrations')
  if (backup !== undefined)
    log.info(
      { backup },
      `Updated the database. To go back, stop the service and start the previous release. To go back to the data from before the update as well, first run with the previous release: ./space-site restore ${backup} --replace`,
    )
}

/**
 * Writes a backup, and deletes those before earlier updates. So an update that fails, and that a service manager tries
 * again and again, does not fill the disk.
 */
const backUp = async ({ location }: Database, folder: string, log: Logger): Promise<string> => {
  const time = new Date().toISOString().replaceAll(/[:.]/g, '-')
  const file = path.join(folder, `${PREFIX}${time}.backup`)
  log.info({ file }, 'Backing up the database before the update')
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await createBackup(location, file)
    for (const name of await readdir(folder))
      if (name.startsWith(PREFIX) && name !== path.basename(file)) await rm(path.join(folder, name))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new OperatorError(
      `The database cannot be backed up before the update, so nothing was changed: ${reason} Correct this, or set BACKUP_HOURS=0 to update without a backup.`,
      { cause: error },
    )
  }
  return file
}
