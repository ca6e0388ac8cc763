import type { Outputs } from '../api.ts'
import { bytes } from '../feedback/bytes.ts'
import type { Upload } from './upload-queue.ts'

export type Storage = Outputs['files']['list']['storage']

/** Bytes that uploads under way will take when they are done. */
const growth = ({ file, replaces }: Upload) => file.size - (replaces?.size ?? 0)

/**
 * Why a file need not be sent, because the service would refuse it, and what to do; null when it may be.
 *
 * @param others are under way before it
 * @param nameMax characters of a name
 */
export const refusalOf = (
  upload: Upload,
  others: Upload[],
  storage: Storage,
  nameMax: number,
): string | null => {
  const { size } = upload.file
  if (size === 0) return 'The file is empty. A folder has to be opened first, and the files in it dropped.'
  if (size > storage.file_max_bytes)
    return `It has ${bytes(size)}; a file may have ${bytes(storage.file_max_bytes)}. Make it smaller, then add it again.`
  if ([...upload.name].length > nameMax)
    return `Its name is longer than ${nameMax} characters. Give it a shorter one, then add it again.`
  const taken = others.reduce((sum, other) => sum + Math.max(0, growth(other)), storage.used)
  const free = Math.max(0, storage.quota - taken)
  if (growth(upload) > free)
    return `It does not fit: it has ${bytes(size)}, and ${bytes(free)} are free. Delete files you no longer need, then try again.`
  return null
}
