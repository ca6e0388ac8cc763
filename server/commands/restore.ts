import { restoreBackup } from '../../db/backup/restore.ts'
import { locateDatabase } from '../database/locate.ts'
import { anyFile, fileFrom, operatorCommand } from './operator-command.ts'

/**
 * Verifies a backup and restores it into the database, which must be empty unless `--replace` is given. The service must
 * not be running.
 */
export const restore = (args: string[], usage: string): Promise<void> =>
  operatorCommand(
    args,
    usage,
    { options: ['--replace'], argument: anyFile },
    async ({ settings, log, argument, options, progress: { onProgress } }) => {
      const file = fileFrom(argument)
      // If the service is running, it already uses the embedded server, and starting another one fails here.
      const located = await locateDatabase(settings, log, () => {})
      try {
        const replace = options.has('--replace')
        const { manifest, outside, left } = await restoreBackup(located.location, file, {
          replace,
          hasFileStore: settings.fileStore !== undefined,
          onProgress,
        })
        const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
        const check =
          outside.count === 0
            ? ''
            : ` The bytes of ${outside.count} files are in the file store: verify them with ./space-site files-check.`
        if (left.length > 0)
          log.warn(
            { tables: left },
            'These tables were left. If another version of the service has created them, drop them',
          )
        return `Restored ${rows} rows of ${manifest.tables.length} tables from ${file}.${check}`
      } finally {
        await located.stop()
      }
    },
  )
