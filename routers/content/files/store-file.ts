import { type NewContent, withStaged } from '../../../db/file-store/content.ts'
import { newId } from '../../../db/id.ts'
import { findFileUsage, insertFile, type listFiles } from '../../../db/queries/files.ts'
import type { SpaceWrite } from '../../../db/space-write.ts'
import { sendLast } from '../../../db/transaction.ts'
import type { Addresses } from '../../api/addresses.ts'
import type { SpaceCall, SpaceUser } from '../../api/in-space.ts'
import { keepAnswer } from '../../api/safe-retries.ts'
import { checkStorage, refuseTooMany } from '../limits.ts'
import { contentTypeOf } from './content-type.ts'

type Row = Awaited<ReturnType<typeof listFiles>>[number]

/** Converts a row to the API's file object. */
export const toFile = (addresses: Addresses, row: Row) => ({
  id: row.id,
  name: row.name,
  content_type: row.content_type,
  size: row.size,
  url: addresses.file(row.id),
  uploaded_by: row.uploaded_by,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})

/**
 * Stores a new file.
 *
 * @param check called first, in the transaction
 * @throws `storage_quota_exceeded`, `limit_reached`, `unavailable` while the file store does not respond
 */
export const storeFile = async (
  { core, space, accountId, write, keyed }: SpaceUser & Pick<SpaceCall, 'write' | 'keyed'>,
  name: string,
  content: NewContent,
  check: (write: SpaceWrite) => Promise<void> = async () => {},
) => {
  const now = new Date()
  const { size } = content
  const file = {
    id: newId(),
    name,
    content_type: contentTypeOf(name),
    created_at: now,
    updated_at: now,
  }
  const created = (uploader: string | null) =>
    toFile(core.addresses, { ...file, size, uploaded_by: uploader })
  const uploader = await withStaged(core, space.id, content, staged =>
    write(async current => {
      await check(current)
      const used = await findFileUsage(current.sql, space.id, accountId)
      checkStorage(used.bytes + size)
      refuseTooMany(used.count >= core.creationLimits.files, 'files', core.creationLimits)
      sendLast(current.sql, () => insertFile(current, { ...file, uploaded_by_id: accountId }, staged))
      keepAnswer({ keyed }, current.sql, () => created(used.handle))
      return used.handle
    }),
  )
  return created(uploader)
}

/** The control characters C0, DEL and C1. */
const CONTROL_CHARACTERS = /\p{Cc}/gu

/** Removes a path and control characters from a file name (contract: "file name"). */
export const cleanName = (name: string): string =>
  name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1).replace(CONTROL_CHARACTERS, '')
