import { ID_PATTERN } from '../../db/id.ts'
import { sqlOf } from '../../db/orm.ts'
import { findDeliveredFile, readFileBytes } from '../../db/queries/delivery.ts'
import type { Core } from '../core/context.ts'

/** Bytes that are read from the database at once. */
const PIECE = 128 * 1024

/** A file that can be read in pieces. */
export interface OpenedFile {
  name: string
  contentType: string
  size: number
  /** Changes with the content, the name or the type: a strong validator, of characters that need no escaping. */
  version: string
  updatedAt: Date
  /**
   * The bytes from `start` to `end`, both included, piece by piece as they are asked for; between two pieces no
   * connection is held. Throws a {@link FileChangedError} when the file was replaced or deleted in between.
   */
  read(start: number, end: number): AsyncGenerator<Buffer, void, void>
}

/** The rest of a file that was begun to be read exists no longer. */
export class FileChangedError extends Error {}

/** Opens a file at its origin; null when there is none of that id. */
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
