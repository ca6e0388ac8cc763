import { bytesOf } from '../../../db/file-store/content.ts'
import type { FileStore } from '../../../db/file-store/file-store.ts'
import type { Sql } from '../../../db/orm.ts'
import { findPicture } from '../../../db/queries/history-picture.ts'
import { limits } from '../../core/rules.ts'

/** Returns the text of a current or earlier file; null if the file is not UTF-8 text or is larger than the limit. */
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
