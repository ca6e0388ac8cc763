/**
 * `npm run restore -- FILE`: verifies a backup and restores it into the database, which must be empty unless
 * `--replace` is given. The service must not be running.
 */
import { restoreBackup } from '../db/backup/restore.ts'
import { backupCommand } from './backup-command.ts'
import { locateDatabase } from './locate-database.ts'

await backupCommand(
  'npm run restore -- FILE [--replace]',
  ['--replace'],
  async ({ settings, log, file, options, progress: { onProgress } }) => {
    // If the service is running, it already uses the embedded server, and starting another one fails here.
    const database = await locateDatabase(settings, log, () => {})
    try {
      const replace = options.has('--replace')
      const manifest = await restoreBackup(database.location, file, { replace, onProgress })
      const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
      return `Restored ${rows} rows of ${manifest.tables.length} tables from ${file}.`
    } finally {
      await database.stop()
    }
  },
)
