import { findDataUsage } from '../../../db/queries/data.ts'
import { findFileUsage } from '../../../db/queries/files.ts'
import { isSpaceFullOfPages } from '../../../db/queries/full.ts'
import type { ChangeKind } from '../../../db/queries/items.ts'
import { listPartEdges } from '../../../db/queries/parts.ts'
import type { SpaceWrite } from '../../../db/space-write.ts'
import { invalid, Problem, requireSpaceFor } from '../../core/problem.ts'
import { type CreationLimits, rules } from '../../core/rules.ts'
import { findCycle } from '../parts/change-part.ts'

/** An item that the operation wrote or deleted. */
interface Restored {
  kind: ChangeKind
  thing: string
  /** What the operation did to the item. */
  effect: 'add' | 'change' | 'delete'
}

const COUNTED = { add: 1, change: 0, delete: -1 }

/**
 * Checks a space after a restore, an undo or a write of several items. Throws if the space exceeds a limit or quota, or
 * if parts include each other in a cycle. Then nothing is written.
 *
 * After an operator has lowered a maximum, a space can have more pages, parts or files than the maximum. An operation
 * that adds no further items must still succeed in such a space. So the number of pages, parts or files is checked only
 * if the operation added more items of this kind than it deleted.
 *
 * @param bodyField returns the input field with the body of a part, for the error about a cycle of includes
 * @throws `limit_reached`, `parts_quota_exceeded`, `data_quota_exceeded`, `storage_quota_exceeded`, or
 * `validation_failed` for a cycle of includes
 */
export const checkLimits = async (
  write: SpaceWrite,
  limits: CreationLimits,
  restored: readonly Restored[],
  bodyField: (partId: string) => string = () => 'html',
): Promise<void> => {
  const things = Map.groupBy(restored, ({ kind }) => kind)
  for (const [kind, check] of Object.entries(CHECKS)) {
    const ofKind = things.get(kind as ChangeKind)
    if (ofKind)
      await check(write, limits, {
        things: new Set(ofKind.map(({ thing }) => thing)),
        hasGrown: ofKind.reduce((sum, { effect }) => sum + COUNTED[effect], 0) > 0,
        bodyField,
      })
  }
}

type Check = (
  write: SpaceWrite,
  limits: CreationLimits,
  restored: { things: ReadonlySet<string>; hasGrown: boolean; bodyField: (partId: string) => string },
) => Promise<void>

const CHECKS: Record<Exclude<ChangeKind, 'space'>, Check> = {
  page: async ({ sql, spaceId }, { pages }, { hasGrown }) =>
    requireSpaceFor(
      hasGrown && (await isSpaceFullOfPages(sql, spaceId, pages + 1)),
      `A space can have at most ${pages} pages.`,
    ),
  part: async ({ sql, spaceId }, { parts }, { things, hasGrown, bodyField }) => {
    const edges = await listPartEdges(sql, spaceId)
    requireSpaceFor(hasGrown && edges.length > parts, `A space can have at most ${parts} parts.`)
    const total = edges.reduce((sum, { length }) => sum + length, 0)
    const max = rules.part.total_max_length
    if (total > max)
      throw new Problem('parts_quota_exceeded', {
        detail: `All parts together would have ${total} characters; the limit is ${max}.`,
      })
    const graph = new Map(edges.map(({ name, includes }) => [name, includes]))
    for (const { id, name } of edges) {
      const cycle = things.has(id) && findCycle(name, graph)
      if (cycle) throw invalid(bodyField(id), `must not create a cycle of includes: ${cycle.join(' → ')}`)
    }
  },
  record: async ({ sql, spaceId }) => {
    const { max_records, total_max_bytes } = rules.data
    // `findDataUsage` leaves out the record with the given key. No record has an empty key, so this covers all records.
    const { other_records: records, other_bytes: bytes } = await findDataUsage(sql, spaceId, '')
    if (records > max_records)
      throw new Problem('data_quota_exceeded', { detail: `A space can have at most ${max_records} records.` })
    if (bytes > total_max_bytes)
      throw new Problem('data_quota_exceeded', {
        detail: `All records together would have ${bytes} bytes; the limit is ${total_max_bytes}.`,
      })
  },
  file: async ({ sql, spaceId, author }, { files }, { hasGrown }) => {
    const { count, bytes } = await findFileUsage(sql, spaceId, author.accountId)
    requireSpaceFor(hasGrown && count > files, `A space can have at most ${files} files.`)
    if (bytes > rules.file.quota_bytes)
      throw new Problem('storage_quota_exceeded', {
        detail: `All files together would have ${bytes} bytes; the limit is ${rules.file.quota_bytes}.`,
      })
  },
}
