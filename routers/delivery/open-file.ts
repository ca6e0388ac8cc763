import { LRUCache } from 'lru-cache'
import { requireStore, type StoredFile } from '../../db/file-store/file-store.ts'
import type { Delivery } from '../api/context.ts'
import type { Sites } from '../api/sites.ts'
import { originFinder } from './find-space.ts'

/** Maximum size of a file that is read at once and cached, in bytes. */
const SMALL = 128 * 1024

/**
 * Size of a piece, in bytes. Files above `SMALL` are read in pieces, with one query for each piece. The driver returns
 * a piece as a base64 string of 87 kB. Larger pieces would be slow: the JavaScript engine maps new memory for each
 * string above 128 kB, and then the same file takes five times as much processor time.
 */
const PIECE = 64 * 1024

/** Maximum total size of the cached file contents, in bytes. */
const MEMORY = 32 * 1_048_576

/** Maximum size of a cache entry in bytes: the content of a file, or a compressed form of it. */
export const MAX_CACHED_BYTES = 1_048_576

/** A file that can be read in pieces. */
export interface OpenedFile {
  name: string
  contentType: string
  size: number
  /**
   * Strong validator, which differs after every change to the content, name or type. It has no characters that need
   * escaping in an ETag.
   */
  version: string
  /** Identifies the content. Equal contents have equal digests. */
  digest: string
  createdAt: Date
  updatedAt: Date
  /** Whether the file is small enough for `content`. Larger files are read in pieces. */
  isSmall: boolean
  /** Returns the whole content of a small file. Throws a {@link FileChangedError} like `read`. */
  content(): Promise<Buffer>
  /**
   * Returns the bytes from `start` to `end`, both inclusive, if they can be read at once; undefined otherwise. Rejects
   * with a {@link FileChangedError} like `read`.
   */
  piece(start: number, end: number): Promise<Buffer> | undefined
  /**
   * Yields the bytes from `start` to `end`, both inclusive, in pieces. Holds no database connection between two pieces.
   * Throws a {@link FileChangedError} when the file was replaced or deleted in between, and a {@link FileStoreError}
   * when the bytes can't be read.
   */
  read(start: number, end: number): AsyncGenerator<Buffer, void, void>
}

/** Thrown when a file was replaced or deleted while it was being read. */
export class FileChangedError extends Error {}

/**
 * Caches file contents, and their compressed forms, by digest, so that entries never become stale. Concurrent requests
 * for an entry create it only once.
 */
export class ContentCache {
  readonly #contents = new LRUCache<string, Buffer, () => Promise<Buffer>>({
    maxSize: MEMORY,
    maxEntrySize: MAX_CACHED_BYTES,
    sizeCalculation: bytes => Math.max(1, bytes.length),
    fetchMethod: (_key, _stale, { context: create }) => create(),
    // A reader who disconnects must not abort a read that others are waiting for.
    ignoreFetchAbort: true,
  })

  /** Returns the content with this key. Calls `create` if the content is not cached; rejects if `create` rejects. */
  async get(key: string, create: () => Promise<Buffer>): Promise<Buffer> {
    return (await this.#contents.fetch(key, { context: create }))!
  }

  /** Returns the content with this key if it is cached. */
  find(key: string): Buffer | undefined {
    return this.#contents.get(key)
  }

  set(key: string, bytes: Buffer): void {
    this.#contents.set(key, bytes)
  }
}

/** Returns a function that opens a file by the id in the file's origin. Opening an unknown id returns null. */
export const fileOpener = (core: Delivery, cache: ContentCache) => {
  const spaceOf = originFinder(core, 'file')
  return async (id: string): Promise<OpenedFile | null> => {
    const space = await spaceOf(id)
    if (!space) return null
    const row = await core.sites.findDeliveredFile(space.space_id, id)
    return row ? opened(core, cache, row) : null
  }
}

type FileRow = NonNullable<Awaited<ReturnType<Sites['findDeliveredFile']>>>

const opened = (core: Delivery, cache: ContentCache, row: FileRow): OpenedFile => {
  const file = { ...row, digest: Buffer.from(row.digest) }
  const digest = file.digest.toString('hex')
  /**
   * Finds a piece of the file. If the database has the bytes, returns the piece. If the file store has them, returns
   * the file's object in the file store.
   */
  const find = async (from: number, length: number): Promise<StoredFile | Buffer> => {
    const found = await core.sites.readFileBytes(file, from, length)
    if (found && 'object' in found)
      return { spaceId: row.space_id, digest: file.digest, object: found.object, size: row.size }
    if (found?.length !== length) throw new FileChangedError()
    return found
  }
  const readPiece = async (from: number, length: number) => {
    const found = await find(from, length)
    return 'object' in found ? requireStore(core.fileStore).read(found, from, from + length - 1) : found
  }
  const isSmall = row.size <= SMALL
  const content = () => cache.get(digest, () => readPiece(0, row.size))
  return {
    name: row.name,
    contentType: row.content_type,
    size: row.size,
    version: `${digest.slice(0, 32)}-${row.updated_at.getTime().toString(36)}`,
    digest,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    isSmall,
    content,
    piece: (start, end) => {
      if (isSmall) return content().then(bytes => bytes.subarray(start, end + 1))
      return end - start < PIECE ? readPiece(start, end - start + 1) : undefined
    },
    read: async function* read(start, end) {
      for (let from = start; from <= end; from += PIECE) {
        const found = await find(from, Math.min(PIECE, end - from + 1))
        if ('object' in found) return yield* requireStore(core.fileStore).stream(found, from, end)
        yield found
      }
    },
  }
}
