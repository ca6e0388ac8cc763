import { MissingRowError } from '../../../db/locks.ts'
import { type Orm, sqlOf } from '../../../db/orm.ts'
import { hasContentServers } from '../../../db/queries/content-servers.ts'
import { nextSpaceIds } from '../../../db/queries/history-retention.ts'
import { type CompressedMark, compressFiles } from './compress-files.ts'
import { type Marks, newMarks, type RetentionLimits, trimHistory } from './trim-history.ts'
import { WrittenSpaces } from './written-spaces.ts'

/** Time between two passes, in ms. */
const PASS_EVERY = 10_000
/** Number of spaces that each pass trims in turn, besides the spaces that are due because of writes. */
const SPACES_PER_PASS = 5

/** Number of spaces whose marks this process remembers. */
const REMEMBERED = 10_000

/** Trims histories in the background, and compresses the bytes of files that only histories use. */
export interface Retention {
  /** Records a write to a space, so that a later pass trims its history. */
  note: (spaceId: string) => void
  /**
   * Records that changes of a space were erased, so that the next pass deletes the bodies that only the erased changes
   * used.
   */
  noteErasure: (spaceId: string) => void
  stop: () => Promise<void>
}

/**
 * Starts trimming histories in the background. Each pass trims the next few spaces in the order of their ids, and the
 * spaces that are due because of writes.
 *
 * @param onError called if a pass fails; the next pass tries again
 */
export const startRetention = (
  orm: Orm,
  limits: RetentionLimits,
  onError: (error: unknown) => void,
): Retention => {
  const written = new WrittenSpaces()
  /** The marks of the most recently trimmed spaces, oldest first. */
  const remembered = new Map<string, { trimmed: Marks; compressed: CompressedMark | undefined }>()
  let cursor = ''
  let isStopped = false
  /**
   * Whether to compress bytes; undefined until it is known. False if content is distributed, because bytes
   * lose their compressed form on the way between servers.
   */
  let compresses: boolean | undefined

  const trim = async (spaceId: string, isErased: boolean) => {
    const marks = remembered.get(spaceId) ?? { trimmed: newMarks(), compressed: undefined }
    remembered.delete(spaceId)
    if (isErased) marks.trimmed.cleaned = undefined
    await trimHistory(orm, spaceId, limits, marks.trimmed)
    compresses ??= !(await hasContentServers(sqlOf(orm)))
    if (compresses) marks.compressed = await compressFiles(orm, spaceId, marks.compressed)
    remembered.set(spaceId, marks)
    if (remembered.size > REMEMBERED) remembered.delete(remembered.keys().next().value!)
  }

  const pass = async () => {
    const turn = await nextSpaceIds(sqlOf(orm), cursor, SPACES_PER_PASS)
    cursor = turn.length < SPACES_PER_PASS ? '' : turn.at(-1)!
    const { due, erased } = written.takeDue()
    for (const spaceId of new Set([...due, ...turn])) {
      if (isStopped) return
      await trim(spaceId, erased.has(spaceId)).catch((error: unknown) => {
        // The space was deleted in the meantime, and its history with it.
        if (!(error instanceof MissingRowError)) throw error
      })
    }
  }

  let running = Promise.resolve()
  const timer = setInterval(() => {
    running = running.then(pass).catch(onError)
  }, PASS_EVERY).unref()

  return {
    note: spaceId => written.note(spaceId),
    noteErasure: spaceId => written.noteErasure(spaceId),
    stop: async () => {
      isStopped = true
      clearInterval(timer)
      await running
    },
  }
}
