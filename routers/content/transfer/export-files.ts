import { bytesOf } from '../../../db/file-store/content.ts'
import { atOneMoment } from '../../../db/one-moment.ts'
import { findStoredBytes } from '../../../db/queries/files.ts'
import { listFilesWithDigests } from '../../../db/queries/transfer.ts'
import type { Core } from '../../core/context.ts'
import { Problem } from '../../core/problem.ts'
import { distinctNames } from './distinct-names.ts'
import { addLazily, writeZip } from './write-zip.ts'

/**
 * Writes some files of a space, as they are at one moment, to a zip archive without folders.
 *
 * @param file path of the archive, which is created
 * @param signal aborts when the caller has closed the connection
 * @throws `file_not_found` if one of the files does not exist
 */
export const exportFiles = (
  { orm, fileStore }: Core,
  spaceId: string,
  ids: readonly string[],
  file: string,
  signal: AbortSignal | undefined,
): Promise<void> =>
  atOneMoment(orm, async sql => {
    const wanted = new Set(ids)
    const files = (await listFilesWithDigests(sql, spaceId)).filter(({ id }) => wanted.has(id))
    if (files.length < wanted.size)
      throw new Problem('file_not_found', { detail: 'One or more of these files have been deleted.' })
    const names = distinctNames(files.map(({ name }) => name))
    await writeZip(file, signal, async zip => {
      for (const [index, { digest, updated_at }] of files.entries())
        addLazily(
          zip,
          names[index]!,
          async () => bytesOf(fileStore, spaceId, digest, (await findStoredBytes(sql, spaceId, digest))!),
          { mtime: updated_at },
        )
    })
  })
