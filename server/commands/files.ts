import { Database } from '../../db/database.ts'
import type { FileStore } from '../../db/file-store/file-store.ts'
import { checkFiles, moveFiles, type Passed } from '../../db/file-store/move.ts'
import { isMigrated } from '../../db/migrate.ts'
import { OperatorError } from '../../db/operator-error.ts'
import type { Place } from '../../db/queries/moved-bytes.ts'
import { openFileStore } from '../database/file-store.ts'
import { joinDatabase, requireData } from '../database/locate.ts'
import { type Command, operatorCommand, stopSignal } from './operator-command.ts'
import { mebibytes } from './progress.ts'

/**
 * Runs a command that checks or moves the bytes of all files. The service can be running.
 *
 * @param phase shown with the progress
 * @param pass see {@link FilesPass}
 * @returns a sentence with the result
 * @throws OperatorError when bytes are missing or damaged, or when the command can't run
 */
const passOverFiles = async (
  { settings, log, progress }: Pick<Command, 'settings' | 'log' | 'progress'>,
  phase: 'moving' | 'checking',
  pass: FilesPass,
): Promise<string> => {
  await requireData(settings)
  const signal = stopSignal()
  const located = await joinDatabase(settings, log)
  const database = await Database.open(located.location)
  try {
    if (!(await isMigrated(database)))
      throw new OperatorError(
        'The database has not been migrated to this version. Start the service once, then run this command again.',
      )
    const store = await openFileStore(settings.fileStore, database, log)
    if (!store) throw new OperatorError('Set FILE_STORE_URL to the file store.')
    const passed = await pass(database, store, {
      signal,
      onProgress: (done, total) => progress.onProgress({ phase, table: undefined, done, total }),
    })
    store.close()
    const summary = `${passed.count} files (${mebibytes(passed.bytes)})`
    const faults = passed.faults.map(
      ({ spaceId, digest, fault }) => `${fault}: space ${spaceId}, SHA-256 ${digest}`,
    )
    if (faults.length > 0)
      throw new OperatorError(`${summary} are intact, and ${faults.length} are not:\n${faults.join('\n')}`)
    return signal.aborted ? `${summary} before the command was stopped. Run it again to continue` : summary
  } finally {
    await database.close()
    await located.stop()
  }
}

/** Handles the bytes of all files. */
type FilesPass = (
  database: Database,
  store: FileStore,
  options: { signal: AbortSignal; onProgress: (done: number, total: number) => void },
) => Promise<Passed>

const isPlace = (text: string): text is Place => text === 'store' || text === 'database'

/** Reads every file in the file store and verifies it. The service can be running. */
export const filesCheck = (args: string[], usage: string): Promise<void> =>
  operatorCommand(
    args,
    usage,
    { argument: text => text === '' },
    async command => `Intact in the file store: ${await passOverFiles(command, 'checking', checkFiles)}.`,
  )

/**
 * Moves the bytes of all files into the file store, or back into the database, and verifies them. The service can be
 * running.
 */
export const filesMove = (args: string[], usage: string): Promise<void> =>
  operatorCommand(args, usage, { argument: isPlace }, async command => {
    const to = command.argument as Place
    const result = await passOverFiles(command, 'moving', (database, store, options) =>
      moveFiles(database, store, to, options),
    )
    return `Moved to the ${to === 'store' ? 'file store' : 'database'}: ${result}.`
  })
