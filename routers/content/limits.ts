import { findDataUsage } from '../../db/queries/data.ts'
import { findFileUsage } from '../../db/queries/files.ts'
import { isSpaceFullOfPages } from '../../db/queries/full.ts'
import type { ChangeKind } from '../../db/queries/items.ts'
import { listPartEdges } from '../../db/queries/parts.ts'
import type { SpaceWrite } from '../../db/space-write.ts'
import { invalid, Problem, refuseIfFull } from '../api/problem.ts'
import { type CreationLimits, rules } from '../api/rules.ts'

// The limits of what a space can hold. All functions take the state after the write, which callers read under the lock
// of the space.

/**
 * Refuses more items of a kind than a space can have.
 *
 * @param count how many items the space would have, if that is more than one too many
 * @throws `limit_reached`
 */
export const refuseTooMany = (
  isTooMany: boolean,
  kind: 'pages' | 'parts' | 'files',
  limits: CreationLimits,
  count?: number,
): void =>
  refuseIfFull(
    isTooMany,
    `A space can have at most ${limits[kind]} ${kind}${count === undefined ? '' : `; it would have ${count}`}.`,
  )

/** Refuses too many or too large records. @throws `data_quota_exceeded` */
export const checkRecords = (count: number, bytes: number): void => {
  const { max_records, total_max_bytes } = rules.data
  if (count > max_records)
    throw new Problem('data_quota_exceeded', {
      detail: `A space can have at most ${max_records} records; it would have ${count}.`,
    })
  if (bytes > total_max_bytes)
    throw new Problem('data_quota_exceeded', {
      detail: `All records together would have ${bytes} bytes; the limit is ${total_max_bytes}.`,
    })
}

/** Refuses files that are too large together. @throws `storage_quota_exceeded` */
export const checkStorage = (bytes: number): void => {
  if (bytes > rules.file.quota_bytes)
    throw new Problem('storage_quota_exceeded', {
      detail: `All files together would have ${bytes} bytes; the limit is ${rules.file.quota_bytes}.`,
    })
}

/** What the limits of parts need of a part: the names of the parts that it includes, and its length in characters. */
interface PartSize {
  name: string
  includes: readonly string[]
  length: number
}

/**
 * Refuses a cycle of includes, and parts that are too long together.
 *
 * @param parts all parts of the space
 * @param written the names of the parts that the write changes, each with the input field that an error about a cycle
 * names; only cycles through these parts can be new
 * @throws `validation_failed`, `parts_quota_exceeded`
 */
export const checkParts = (parts: readonly PartSize[], written: ReadonlyMap<string, string>): void => {
  const graph = new Map(parts.map(({ name, includes }) => [name, includes]))
  for (const [name, field] of written) {
    const cycle = findCycle(name, graph)
    if (cycle) throw invalid(field, `must not create a cycle of includes: ${cycle.join(' → ')}`)
  }
  const total = parts.reduce((sum, { length }) => sum + length, 0)
  const max = rules.part.total_max_length
  if (total > max)
    throw new Problem('parts_quota_exceeded', {
      detail: `All parts together would have ${total} characters; the limit is ${max}.`,
    })
}

/** {@link checkParts} for one new or changed part. @param stored the parts before the write */
export const checkPart = (
  stored: readonly (PartSize & { id: string })[],
  part: PartSize & { id: string },
  field: 'html' | 'name',
): void => checkParts([...stored.filter(({ id }) => id !== part.id), part], new Map([[part.name, field]]))

/** An item that a write of several items wrote or deleted. */
interface WrittenItem {
  kind: ChangeKind
  thing: string
  /** What the write did to the item. */
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
  { sql, spaceId, author }: SpaceWrite,
  limits: CreationLimits,
  written: readonly WrittenItem[],
  bodyField: (partId: string) => string = () => 'html',
): Promise<void> => {
  const byKind = Map.groupBy(written, ({ kind }) => kind)
  const hasGrown = (kind: ChangeKind) =>
    (byKind.get(kind) ?? []).reduce((sum, { effect }) => sum + COUNTED[effect], 0) > 0
  if (hasGrown('page'))
    refuseTooMany(await isSpaceFullOfPages(sql, spaceId, limits.pages + 1), 'pages', limits)
  const parts = byKind.get('part')
  if (parts) {
    const edges = await listPartEdges(sql, spaceId)
    refuseTooMany(hasGrown('part') && edges.length > limits.parts, 'parts', limits)
    const ids = new Set(parts.map(({ thing }) => thing))
    const changed = edges.filter(({ id }) => ids.has(id))
    checkParts(edges, new Map(changed.map(({ id, name }) => [name, bodyField(id)])))
  }
  if (byKind.has('record')) {
    // `findDataUsage` leaves out the record with the given key. No record has an empty key, so this covers all records.
    const { other_records, other_bytes } = await findDataUsage(sql, spaceId, '')
    checkRecords(other_records, other_bytes)
  }
  if (byKind.has('file')) {
    const { count, bytes } = await findFileUsage(sql, spaceId, author.accountId)
    refuseTooMany(hasGrown('file') && count > limits.files, 'files', limits)
    checkStorage(bytes)
  }
}

/**
 * Returns the shortest cycle of includes through a part, as the names from that part back to itself; null if there is
 * none. Names without a part are ignored.
 *
 * @param start the part being written; only cycles through it can be new
 * @param includes maps the name of each part to the names of the parts that it includes by a literal name
 */
export const findCycle = (
  start: string,
  includes: ReadonlyMap<string, readonly string[]>,
): string[] | null => {
  const cameFrom = new Map<string, string>()
  const queue = [start]
  for (const name of queue) {
    for (const next of includes.get(name) ?? []) {
      if (next === start) return [...pathTo(name, cameFrom), start]
      if (cameFrom.has(next)) continue
      cameFrom.set(next, name)
      queue.push(next)
    }
  }
  return null
}

const pathTo = (name: string, cameFrom: ReadonlyMap<string, string>): string[] => {
  const path = [name]
  for (let at = cameFrom.get(name); at !== undefined; at = cameFrom.get(at)) path.unshift(at)
  return path
}
