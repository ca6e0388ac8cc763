import { ID_PATTERN } from '../../db/id.ts'
import { sqlOf } from '../../db/orm.ts'
import { findDeliveredFile, readFileBytes } from '../../db/queries/delivery.ts'
import type { Core } from '../core/context.ts'

/** Maximum number of bytes that one query reads. */
const PIECE = 128 * 1024

/** A file that can be read in pieces. */
export interface OpenedFile {
  name: string
  contentType: string
  size: number
  /** Strong validator: differs after every change to the content, name or type. Its characters need no escaping. */
  version: string
  updatedAt: Date
  /**
   * Yields the bytes from `start` to `end`, both inclusive, in pieces. Holds no database connection between two pieces.
   * Throws a {@link FileChangedError} when the file was replaced or deleted in between.
   */
  read(start: number, end: number): AsyncGenerator<Buffer, void, void>
}

/** Thrown when a file was replaced or deleted while it was being read. */
export class FileChangedError extends Error {}

/** Opens a file for its origin. Returns null when no file has that id. */
export const openFile = async (core: Core, id: string): Promise<OpenedFile | null> => {
  if (!ID_PATTERN.test(id)) return null
  const row = await findDeliveredFile(sqlOf(core.orm), id)
  if (!row) return null
  const digest = Buffer.from(row.digest)
  return {
    name: row.name,
    contentType: row.content_type,
    size: row.size,
    version: `${digest.toString('hex', 0, 16)}-${row.updated_at.getTime().toString(36)}`,
    updatedAt: row.updated_at,
    read: async function* read(start, end) {
      for (let from = start; from <= end; from += PIECE) {
        const length = Math.min(PIECE, end - from + 1)
        const bytes = await readFileBytes(sqlOf(core.orm), { ...row, digest }, from, length)
        if (bytes?.length !== length) throw new FileChangedError()
        yield bytes
      }
    },
  }
}
