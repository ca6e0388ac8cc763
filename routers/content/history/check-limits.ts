import type { ChangeKind } from '../../../db/queries/changes.ts'
import { findDataUsage } from '../../../db/queries/data.ts'
import { findFileUsage } from '../../../db/queries/files.ts'
import { isSpaceFullOfPages } from '../../../db/queries/full.ts'
import { listPartEdges } from '../../../db/queries/parts.ts'
import type { SpaceWrite } from '../../../db/space-write.ts'
import { requireSpaceFor } from '../../core/limit.ts'
import { Problem } from '../../core/problem.ts'
import { type CreationLimits, rules } from '../../core/rules.ts'
import { checkPart } from '../parts/change-part.ts'
import type { Target } from './apply.ts'

/**
 * Checks the limits, quotas and includes of a space after targets were applied to it. Throws if one is violated, so
 * that nothing is applied.
 *
 * @throws `limit_reached`, `parts_quota_exceeded`, `data_quota_exceeded`, `storage_quota_exceeded`, or
 *   `validation_failed` for a cycle of includes
 */
export const checkLimits = async (
  write: SpaceWrite,
  limits: CreationLimits,
  targets: readonly Target[],
): Promise<void> => {
  const restored = new Set(targets.filter(({ state }) => state !== null).map(({ kind }) => kind))
  for (const [kind, check] of Object.entries(CHECKS))
    if (restored.has(kind as ChangeKind)) await check(write, limits, targets)
}

type Check = (write: SpaceWrite, limits: CreationLimits, targets: readonly Target[]) => Promise<void>

const CHECKS: Record<Exclude<ChangeKind, 'space'>, Check> = {
  page: async ({ sql, spaceId }, { pages }) =>
    requireSpaceFor(
      await isSpaceFullOfPages(sql, spaceId, pages + 1),
      `A space can have at most ${pages} pages.`,
    ),
  part: async ({ sql, spaceId }, { parts }, targets) => {
    const edges = await listPartEdges(sql, spaceId)
    requireSpaceFor(edges.length > parts, `A space can have at most ${parts} parts.`)
    const restored = new Set(targets.map(({ thing }) => thing))
    for (const part of edges) if (restored.has(part.id)) checkPart(edges, part, 'html')
  },
  record: async ({ sql, spaceId }) => {
    const { max_records, total_max_bytes } = rules.data
    // `findDataUsage` leaves out the record with the given key. No record has an empty key, so this covers all records.
    const { other_records: records, other_bytes: bytes } = await findDataUsage(sql, spaceId, '')
    if (records > max_records)
      throw new Problem('data_quota_exceeded', { detail: `A space can have ${max_records} records.` })
    if (bytes > total_max_bytes)
      throw new Problem('data_quota_exceeded', {
        detail: `All records together would have ${bytes} bytes; the limit is ${total_max_bytes}.`,
      })
  },
  file: async ({ sql, spaceId, author }, { files }) => {
    const { count, bytes } = await findFileUsage(sql, spaceId, author.accountId)
    requireSpaceFor(count > files, `A space can have at most ${files} files.`)
    if (bytes > rules.file.quota_bytes)
      throw new Problem('storage_quota_exceeded', {
        detail: `All files together would have ${bytes} bytes; the limit is ${rules.file.quota_bytes}.`,
      })
  },
}
