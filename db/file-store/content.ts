import type { Database } from '../database.ts'
import { violatedConstraint } from '../errors.ts'
import { newId } from '../id.ts'
import { giveUpObjects, stageObject } from '../queries/objects.ts'
import { type FileStore, requireStore } from './file-store.ts'
import { FileStoreError } from './objects.ts'

/** The content of a file, read before it is stored. */
export interface NewContent {
  /** SHA-256 of `bytes`. */
  digest: Buffer
  size: number
  bytes: Buffer
}

/** The content of a file, ready for the transaction that stores it. */
export interface FileContent {
  digest: Buffer
  size: number
  /** Undefined if the space has the bytes already, or if they are in `object`. */
  bytes?: Buffer | undefined
  /** The id of a staged object that has the bytes. */
  object?: string | undefined
}

/** Where to store the bytes of files. */
export interface Places {
  database: Database
  /** Null if all bytes are in the database. */
  fileStore: FileStore | null
}

/** Number of objects that are written at the same time. */
const AT_ONCE = 4

/**
 * Runs a write that stores the content of a file. If new files go to the file store, the bytes are written there first,
 * and deleted again if the write fails. So the write never waits for the store while it holds a lock.
 *
 * @param write stores the content in a transaction
 * @throws FileStoreError, and what `write` throws
 */
export const withStaged = <T>(
  places: Places,
  spaceId: string,
  content: NewContent,
  write: (content: FileContent) => Promise<T>,
): Promise<T> => {
  if (!places.fileStore?.takesNew) return write(content)
  return withAllStaged(places, spaceId, [content], ([staged]) => write(staged!))
}

/**
 * Like {@link withStaged}, for the contents of several files.
 *
 * @param contents the contents of the files, which are read a few at a time to save memory
 * @param write a function that stores the contents. Its argument lists the contents that are already in the file store.
 * If new files go to the database, the list is empty
 */
export const withAllStaged = async <T>(
  { database, fileStore }: Places,
  spaceId: string,
  contents: AsyncIterable<NewContent> | Iterable<NewContent>,
  write: (contents: readonly FileContent[]) => Promise<T>,
): Promise<T> => {
  if (!fileStore?.takesNew) return write([])
  const staged: (FileContent & { spaceId: string; object: string })[] = []
  const put = async ({ digest, size, bytes }: NewContent) => {
    const content = { spaceId, digest, size, object: newId() }
    await stageObject(database, content)
    staged.push(content)
    await fileStore.put(content, bytes)
  }
  try {
    for await (const slice of slicesOf(contents, AT_ONCE)) await allDone(slice.map(put))
    return await write(staged)
  } catch (error) {
    throw violatedConstraint(error) === 'blobs_one_place'
      ? new FileStoreError('The upload took too long.', { cause: error })
      : error
  } finally {
    // Give up the objects that the write did not use. Otherwise, they would be deleted only a day later.
    await giveUpObjects(database, staged).catch(() => {})
  }
}

/** Waits for all promises, so that nothing is written after a failure has been reported. @throws the first error */
const allDone = async (promises: readonly Promise<unknown>[]): Promise<void> => {
  await Promise.allSettled(promises)
  await Promise.all(promises)
}

async function* slicesOf<Item>(
  items: AsyncIterable<Item> | Iterable<Item>,
  length: number,
): AsyncGenerator<Item[]> {
  let slice: Item[] = []
  for await (const item of items) {
    slice.push(item)
    if (slice.length < length) continue
    yield slice
    slice = []
  }
  if (slice.length > 0) yield slice
}

/** A row of `blobs`: the bytes, or the object that has them. */
export interface StoredBytes {
  bytes: Buffer | null
  object: string | null
  size: number
}

/**
 * Returns the bytes of a row of `blobs`.
 *
 * @throws FileStoreError if they are in the file store and can't be read
 */
export const bytesOf = async (
  fileStore: FileStore | null,
  spaceId: string,
  digest: Uint8Array,
  { bytes, object, size }: StoredBytes,
): Promise<Buffer> =>
  object === null ? bytes! : requireStore(fileStore).read({ spaceId, digest, object, size })
