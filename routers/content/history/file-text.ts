import { bytesOf } from '../../../db/file-store/content.ts'
import type { FileStore } from '../../../db/file-store/file-store.ts'
import type { Sql } from '../../../db/orm.ts'
import { findPicture } from '../../../db/queries/history-picture.ts'
import { limits } from '../../core/rules.ts'

/**
 * Returns the current or an earlier text of a file; null if the content is not stored, is larger than the limit, is not
 * UTF-8, or contains a null character.
 */
export const fileText = async (
  sql: Sql,
  fileStore: FileStore | null,
  spaceId: string,
  digest: Buffer,
): Promise<string | null> => {
  const found = await findPicture(sql, spaceId, digest, limits.historyText)
  if (!found) return null
  const bytes = await bytesOf(fileStore, spaceId, digest, found)
  if (bytes.includes(0)) return null
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}
