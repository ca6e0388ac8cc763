import { hash } from 'node:crypto'
import type { Database } from '../database.ts'
import { newId } from '../id.ts'
import { MissingRowError, withMembershipLocked } from '../locks.ts'
import {
  findKept,
  type Kept,
  keptIn,
  moveToDatabase,
  moveToObject,
  type Place,
} from '../queries/moved-bytes.ts'
import { giveUpObjects, stageObject } from '../queries/objects.ts'
import type { FileStore } from './file-store.ts'
import { LostBytesError } from './objects.ts'

/** Reports that the bytes of a file are missing or damaged. */
export interface Fault {
  spaceId: string
  /** SHA-256 of the bytes in hexadecimal. */
  digest: string
  fault: LostBytesError['fault']
}

/** The result of a pass over all bytes in the database, or over all bytes in the store. */
export interface Passed {
  count: number
  bytes: number
  faults: Fault[]
}

interface Options {
  /** Called with the number of bytes so far and in total. */
  onProgress: (done: number, total: number) => void
  /** Ends the pass after the files in progress. */
  signal: AbortSignal
}

/** Number of files that are read at the same time. */
const AT_ONCE = 4

/**
 * Moves the bytes of files to another place while the service is running, and verifies them by digest. The bytes are
 * always in at least one place: they are removed from the database only after they were read back from the store. A
 * pass that was interrupted can be repeated. Missing or damaged bytes stay where they are, and are reported.
 *
 * @throws FileStoreError if the store does not respond
 */
export const moveFiles = (
  database: Database,
  store: FileStore,
  to: Place,
  options: Options,
): Promise<Passed> =>
  passOver(database, to === 'store' ? 'database' : 'store', options, kept =>
    to === 'store' ? toStore(database, store, kept) : toDatabase(database, store, kept),
  )

/**
 * Reads all objects that the database refers to, and verifies them by digest.
 *
 * @throws FileStoreError if the store does not respond
 */
export const checkFiles = (database: Database, store: FileStore, options: Options): Promise<Passed> =>
  passOver(database, 'store', options, async kept => {
    const found = await findKept(database, kept)
    if (found?.object == null) return false
    await readUnlessReplaced(database, store, kept, found.object)
    return true
  })

/** @param handle returns false if the bytes were deleted or moved by others meanwhile */
const passOver = async (
  database: Database,
  place: Place,
  { onProgress, signal }: Options,
  handle: (kept: Kept) => Promise<boolean>,
): Promise<Passed> => {
  let total = 0
  for await (const kept of keptIn(database, place)) for (const { size } of kept) total += size
  const passed: Passed = { count: 0, bytes: 0, faults: [] }
  let done = 0
  const handleOne = async (kept: Kept) => {
    try {
      if (await handle(kept)) {
        passed.count += 1
        passed.bytes += kept.size
      }
    } catch (error) {
      if (!(error instanceof LostBytesError)) throw error
      const { spaceId, digest } = kept
      passed.faults.push({ spaceId, digest: digest.toString('hex'), fault: error.fault })
    }
    done += kept.size
    onProgress(Math.min(done, total), total)
  }
  for await (const kept of keptIn(database, place))
    for (let from = 0; from < kept.length; from += AT_ONCE) {
      if (signal.aborted) return passed
      const results = await Promise.allSettled(kept.slice(from, from + AT_ONCE).map(handleOne))
      const failed = results.find(result => result.status === 'rejected')
      if (failed) throw failed.reason
    }
  return passed
}

const toStore = async (
  database: Database,
  store: FileStore,
  { spaceId, digest, size }: Kept,
): Promise<boolean> => {
  const found = await findKept(database, { spaceId, digest })
  if (!found?.bytes) return false
  if (!hash('sha256', found.bytes, 'buffer').equals(digest)) throw new LostBytesError('damaged')
  const file = { spaceId, digest, size, object: newId() }
  await stageObject(database, file)
  try {
    await store.put(file, found.bytes)
    // Verifies the digest.
    await store.read(file)
    return await underLock(database, spaceId, sql => moveToObject(sql, file))
  } finally {
    // Does nothing if the object is in use now.
    await giveUpObjects(database, [file]).catch(() => {})
  }
}

const toDatabase = async (database: Database, store: FileStore, kept: Kept): Promise<boolean> => {
  const { spaceId, digest, size } = kept
  const object = kept.object!
  const bytes = await readUnlessReplaced(database, store, kept, object)
  if (!bytes) return false
  return underLock(database, spaceId, sql => moveToDatabase(sql, { spaceId, digest, size, object }, bytes))
}

/** Reads an object. If it is missing or damaged, and the database no longer refers to it, returns undefined. */
const readUnlessReplaced = async (
  database: Database,
  store: FileStore,
  { spaceId, digest, size }: Kept,
  object: string,
): Promise<Buffer | undefined> => {
  try {
    return await store.read({ spaceId, digest, size, object })
  } catch (error) {
    if (error instanceof LostBytesError && (await findKept(database, { spaceId, digest }))?.object !== object)
      return undefined
    throw error
  }
}

/** Runs a write under the lock of the space. Returns false if the space was deleted. */
const underLock = (
  database: Database,
  spaceId: string,
  work: Parameters<typeof withMembershipLocked<boolean>>[2],
) =>
  withMembershipLocked(database, spaceId, work).catch((error: unknown) => {
    if (error instanceof MissingRowError) return false
    throw error
  })
