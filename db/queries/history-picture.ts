import { sql } from 'kysely'
import { compileOnce } from '../compile-once.ts'
import type { StoredBytes } from '../file-store/content.ts'

/**
 * Finds the bytes of a current or earlier file or icon of a space. The current icon is in `icons`. The files and the
 * earlier icons are in `blobs`.
 *
 * @param maxSize maximum size in bytes; larger values in `blobs` are not returned
 */
export const findPicture = compileOnce((db, spaceId: string, digest: Buffer, maxSize: number) => ({
  compile: () =>
    sql<StoredBytes>`
      select bytes, object, size from blobs where space_id = ${spaceId} and digest = ${digest} and size <= ${maxSize}::int
      union all
      select png, null, octet_length(png) from icons where space_id = ${spaceId} and sha256(png) = ${digest}
      limit 1`.compile(db),
}))
