import { BackupError } from '../db/backup/error.ts'
import type { FileStore } from '../db/file-store/file-store.ts'
import type { Passed } from '../db/file-store/move.ts'
import { isMigrated } from '../db/migrate.ts'
import { type Orm, openDatabase } from '../db/orm.ts'
import { openFileStore } from './connect-file-store.ts'
import { joinDatabase, requireData } from './locate-database.ts'
import type { Command } from './operator-command.ts'
import { mebibytes } from './progress.ts'

/**
 * Runs a command that checks or moves the bytes of all files. The service can be running.
 *
 * @param phase shown with the progress
 * @param pass see {@link FilesPass}
 * @returns a sentence with the result
 * @throws BackupError when bytes are missing or damaged, or when the command can't run
 */
export const passOverFiles = async (
  { settings, log, progress }: Pick<Command, 'settings' | 'log' | 'progress'>,
  phase: 'moving' | 'checking',
  pass: FilesPass,
): Promise<string> => {
  await requireData(settings)
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())
  const database = await joinDatabase(settings, log)
  const orm = await openDatabase(database.location)
  try {
    if (!(await isMigrated(orm)))
      throw new BackupError(
        'The database has not been migrated to this version. Start the service once, then run this command again.',
      )
    const store = await openFileStore(settings.fileStore, orm, log)
    if (!store) throw new BackupError('Set FILE_STORE_URL to the file store.')
    const passed = await pass(orm, store, {
      signal: stopping.signal,
      onProgress: (done, total) => progress.onProgress({ phase, table: undefined, done, total }),
    })
    store.close()
    const summary = `${passed.count} files (${mebibytes(passed.bytes)})`
    const faults = passed.faults.map(
      ({ spaceId, digest, fault }) => `${fault}: space ${spaceId}, SHA-256 ${digest}`,
    )
    if (faults.length > 0)
      throw new BackupError(`${summary} are intact, and ${faults.length} are not:\n${faults.join('\n')}`)
    return stopping.signal.aborted
      ? `${summary} before the command was stopped. Run it again to continue`
      : summary
  } finally {
    await orm.close()
    await database.stop()
  }
}

/** Handles the bytes of all files. */
export type FilesPass = (
  orm: Orm,
  store: FileStore,
  options: { signal: AbortSignal; onProgress: (done: number, total: number) => void },
) => Promise<Passed>
