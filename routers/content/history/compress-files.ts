import { type Orm, sqlOf } from '../../../db/orm.ts'
import {
  areFilesChanged,
  type BytesRef,
  compressBytes,
  decompressBytes,
  findCompressed,
  findUncompressed,
} from '../../../db/queries/compressed-bytes.ts'
import type { ChangePlace } from '../../../db/queries/history.ts'
import { lastPlace } from '../../../db/queries/history-retention.ts'
import { inTransaction } from '../../../db/transaction.ts'
import { START } from './excess.ts'

/** Maximum number of contents in one step, and number of bytes after which a step ends. */
const STEP = { contents: 200, bytes: 8_388_608 }

/** Number of bytes after which a call ends, so that a large history does not delay the histories of other spaces. */
const CALL = 33_554_432

/** Time in ms after which a space is checked again even if its files have not changed. */
const LOOK_EVERY = 24 * 60 * 60_000

/** When the files of a space were last compressed, and which change in the space's history was the newest then. */
export interface CompressedMark {
  time: Date
  at: ChangePlace
}

/**
 * Compresses file contents that only the history of a space uses, and decompresses contents that a current file uses
 * again. PostgreSQL does both, a few megabytes at a time, without the lock of the space. Readers get the same bytes in
 * either case; only the time to read a range differs.
 *
 * @param mark the result of the last call. If the files of the space have not changed since that call, this call does
 * nothing, unless `LOOK_EVERY` has passed.
 * @param now the current time; a parameter so that tests can set it
 * @returns the mark for the next call; undefined if there is more to compress
 */
export const compressFiles = async (
  orm: Orm,
  spaceId: string,
  mark: CompressedMark | undefined,
  now = new Date(),
): Promise<CompressedMark | undefined> => {
  const db = sqlOf(orm)
  const isRecent = mark && now.getTime() - mark.time.getTime() < LOOK_EVERY
  if (isRecent && !(await areFilesChanged(db, spaceId, mark.at))) return mark
  // Find the newest change first, and read the files after that. Then the next call notices changes that are made while
  // this call runs.
  const at = (await lastPlace(db, spaceId)) ?? START
  let left = CALL
  const needed = await findCompressed(db, spaceId, STEP.contents)
  for (const found of needed) {
    if (left <= 0) return undefined
    await decompressBytes(db, spaceId, found)
    left -= found.size
  }
  if (needed.length === STEP.contents) return undefined
  let after = Buffer.alloc(0) as Buffer
  for (;;) {
    const found = await findUncompressed(db, spaceId, after, STEP.contents)
    if (found.length === 0) return { time: now, at }
    if (left <= 0) return undefined
    const step = firstOf(found)
    await inTransaction(orm, sql =>
      compressBytes(
        sql,
        spaceId,
        step.map(({ digest }) => digest),
      ),
    )
    for (const { size } of step) left -= size
    after = step.at(-1)!.digest
  }
}

/** Returns as many of the contents as one step handles, at least one. */
const firstOf = (contents: readonly BytesRef[]): readonly BytesRef[] => {
  let bytes = 0
  const end = contents.findIndex(({ size }) => {
    bytes += size
    return bytes >= STEP.bytes
  })
  return end === -1 ? contents : contents.slice(0, end + 1)
}
