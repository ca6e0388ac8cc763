import { sqlOf } from '../../db/orm.ts'
import { findDeliveredFile, readFileBytes } from '../../db/queries/delivery.ts'
import type { Core } from '../context.ts'

/** A file that can be read in pieces. */
export interface OpenedFile {
  name: string
  contentType: string
  size: number
  /** SHA-256 of the bytes, in hexadecimal. */
  digest: string
  updatedAt: Date
  /** `length` bytes from an offset; null when the file was deleted in between. */
  read(from: number, length: number): Promise<Buffer | null>
}

/** Opens a file at its origin; null when there is none of that id. */
export const openFile = async (core: Core, id: string): Promise<OpenedFile | null> => {
  const sql = sqlOf(core.orm.em.fork())
  const row = await findDeliveredFile(sql, id)
  if (!row) return null
  return {
    name: row.name,
    contentType: row.content_type,
    size: row.size,
    digest: Buffer.from(row.digest).toString('hex'),
    updatedAt: row.updated_at,
    read: async (from, length) => (await readFileBytes(sql, row.space_id, row.id, from, length)) ?? null,
  }
}
