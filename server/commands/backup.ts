import { stat } from 'node:fs/promises'
import { createBackup } from '../../db/backup/create.ts'
import { joinDatabase, requireData } from '../database/locate.ts'
import { anyFile, fileFrom, operatorCommand, stopSignal } from './operator-command.ts'
import { mebibytes } from './progress.ts'

/** Writes everything in the database to a file and verifies it. Works whether or not the service is running. */
export const backup = (args: string[], usage: string): Promise<void> =>
  operatorCommand(args, usage, { argument: anyFile }, async command => {
    const { settings, log, argument, progress } = command
    const file = fileFrom(argument)
    await requireData(settings)
    const signal = stopSignal()
    const located = await joinDatabase(settings, log)
    try {
      const { onProgress } = progress
      const { manifest, skipped, outside } = await createBackup(located.location, file, {
        onProgress,
        signal,
      })
      if (skipped.length > 0)
        log.warn({ tables: skipped }, 'Tables that do not belong to Space Site were left out')
      if (outside.count > 0)
        log.warn(
          outside,
          'The backup does not contain the bytes of files in the file store: back up the bucket as well',
        )
      const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
      const { size } = await stat(file)
      return `Backed up ${rows} rows of ${manifest.tables.length} tables to ${file} (${mebibytes(size)}, verified).`
    } finally {
      await located.stop()
    }
  })
