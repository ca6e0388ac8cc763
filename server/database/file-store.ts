import type { Logger } from 'pino'
import type { Database } from '../../db/database.ts'
import { collectObjects } from '../../db/file-store/collect.ts'
import { FileStore } from '../../db/file-store/file-store.ts'
import { keyOf } from '../../db/file-store/objects.ts'
import { connectS3, type S3Location } from '../../db/file-store/s3.ts'
import { watchFileStore } from '../../db/file-store/watch.ts'
import { OperatorError } from '../../db/operator-error.ts'
import { hasObjects } from '../../db/queries/objects.ts'
import type { OnStop } from '../lifecycle.ts'
import { repeat } from '../lifecycle.ts'

/** How the bytes of files are kept in an S3-compatible store. */
export interface FileStoreSettings extends S3Location {
  /** Whether new files are written to the store. */
  takesNew: boolean
  /** Days for which objects are kept after their last use. */
  keepDays: number
}

/** Time between two searches for objects to delete, in ms. */
const COLLECT_EVERY = 10_000

/**
 * Connects to the file store, watches it, and deletes objects that nothing needs anymore.
 *
 * @returns null if files are in the database
 * @throws OperatorError if files are in a store that is not configured
 */
export const connectFileStore = async (
  settings: FileStoreSettings | undefined,
  database: Database,
  log: Logger,
  onStop: OnStop,
): Promise<FileStore | null> => {
  const store = await openFileStore(settings, database, log)
  if (!store || !settings) return null
  onStop(() => store.close())
  const watch = watchFileStore(store, (isUp, err) =>
    isUp ? log.info('The file store responds again') : log.error({ err }, 'The file store does not respond'),
  )
  onStop(() => watch.stop())
  const collecting = repeat(
    COLLECT_EVERY,
    async () => store.isUp && collectObjects(database, store, settings.keepDays),
    err => log.warn({ err }, 'Could not delete unused objects of the file store'),
  )
  onStop(() => collecting.stop())
  return store
}

/** Like {@link connectFileStore}, for command-line tools: the store is not watched, and nothing is deleted. */
export const openFileStore = async (
  settings: FileStoreSettings | undefined,
  database: Database,
  log: Logger,
): Promise<FileStore | null> => {
  if (!settings) {
    if (!(await hasObjects(database))) return null
    throw new OperatorError(
      'Files of this database are in a file store. Set FILE_STORE_URL and the other FILE_STORE_ variables as before.',
    )
  }
  return new FileStore(await connectS3(settings), {
    takesNew: settings.takesNew,
    onLost: (file, fault) =>
      log.error({ object: keyOf(file), fault }, 'An object in the file store is missing or damaged'),
  })
}
