import type { Outputs } from '../api.ts'
import { formatBytes } from '../feedback/format-bytes.ts'
import type { Refusal, Upload } from './upload-queue.ts'

export type Storage = Outputs['files']['list']['storage']

/** Bytes that an upload will add to the storage used. */
const growth = ({ file, replaces }: Upload) => file.size - (replaces?.size ?? 0)

const final = (reason: string): Refusal => ({ reason, isFinal: true })

/** Formats a size above the limit, so that rounding never makes it look equal to the limit. */
const sizeAboveLimit = (size: number, { file_max_bytes }: Storage) =>
  formatBytes(size) === formatBytes(file_max_bytes) ? 'slightly larger' : formatBytes(size)

/**
 * Checks an upload against the limits before it is sent.
 *
 * @param others other uploads that are waiting or being sent
 * @param nameMax maximum length of a name in characters
 * @returns why the service would refuse the file and what to do, or null
 */
export const refusalFor = (
  upload: Upload,
  others: Upload[],
  storage: Storage,
  nameMax: number,
): Refusal | null => {
  const { size } = upload.file
  if (size === 0) return final('The file is empty.')
  if (size > storage.file_max_bytes)
    return final(
      `Files can be up to ${formatBytes(storage.file_max_bytes)}; this one is ${sizeAboveLimit(size, storage)}.`,
    )
  if (Array.from(upload.name).length > nameMax)
    return final(`The name is longer than ${nameMax} characters. Rename the file, then upload it again.`)
  const taken = others.reduce((sum, other) => sum + Math.max(0, growth(other)), storage.used)
  const free = Math.max(0, storage.quota - taken)
  if (growth(upload) > free)
    return {
      reason: `Not enough storage: this file is ${formatBytes(size)}, free space is ${formatBytes(free)}. Delete files you no longer need, then try again.`,
      isFinal: false,
    }
  return null
}
