import type { Outputs } from '../api.ts'
import { formatBytes } from '../feedback/format-bytes.ts'
import type { Refusal, Upload } from './upload-queue.ts'

export type Storage = Outputs['files']['list']['storage']

/** Bytes that uploads under way will take when they are done. */
const growth = ({ file, replaces }: Upload) => file.size - (replaces?.size ?? 0)

const final = (reason: string): Refusal => ({ reason, isFinal: true })

/** A size that is too large, never in the same words as the largest that is not. */
const moreThan = (size: number, { file_max_bytes }: Storage) =>
  formatBytes(size) === formatBytes(file_max_bytes) ? 'a little more' : formatBytes(size)

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
): Refusal | null => {
  const { size } = upload.file
  if (size === 0) return final('The file is empty.')
  if (size > storage.file_max_bytes)
    return final(
      `A file may have ${formatBytes(storage.file_max_bytes)}, and this one has ${moreThan(size, storage)}.`,
    )
  if (Array.from(upload.name).length > nameMax)
    return final(`Its name is longer than ${nameMax} characters. Rename it, then add it again.`)
  const taken = others.reduce((sum, other) => sum + Math.max(0, growth(other)), storage.used)
  const free = Math.max(0, storage.quota - taken)
  if (growth(upload) > free)
    return {
      reason: `It does not fit: it has ${formatBytes(size)}, and ${formatBytes(free)} are free. Delete files you no longer need, then try again.`,
      isFinal: false,
    }
  return null
}
