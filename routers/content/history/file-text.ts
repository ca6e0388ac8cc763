import type { Sql } from '../../../db/orm.ts'
import { findPicture } from '../../../db/queries/history-picture.ts'
import { limits } from '../../core/rules.ts'

/** Returns the text of a current or earlier file; null if it is not UTF-8 text or larger than the limit. */
export const fileText = async (sql: Sql, spaceId: string, digest: Buffer): Promise<string | null> => {
  const found = await findPicture(sql, spaceId, digest, limits.historyText)
  if (!found || found.bytes.includes(0)) return null
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(found.bytes)
  } catch {
    return null
  }
}
