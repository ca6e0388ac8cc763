import { createHash } from 'node:crypto'
import type { Sql } from '../../../db/orm.ts'
import { listData } from '../../../db/queries/data.ts'
import { findPage, listPages } from '../../../db/queries/pages.ts'
import { findPart, listParts } from '../../../db/queries/parts.ts'
import { listFilesWithDigests } from '../../../db/queries/transfer.ts'
import { codePoints } from '../../core/fields.ts'
import { requireSpaceFor } from '../../core/limit.ts'
import { invalid, Problem } from '../../core/problem.ts'
import { type CreationLimits, rules } from '../../core/rules.ts'
import { findCycle } from '../parts/include-cycle.ts'
import type { Archive } from './read-archive.ts'

type Page = NonNullable<Awaited<ReturnType<typeof findPage>>>
type Part = NonNullable<Awaited<ReturnType<typeof findPart>>>
type Record = Awaited<ReturnType<typeof listData>>[number]
type File = Awaited<ReturnType<typeof listFilesWithDigests>>[number]

/** What an import does to one item. `before` is undefined if the item is added, `after` if it is deleted. */
interface Step<Before, After> {
  before: Before | undefined
  after: After | undefined
}

/** What an import does to a space. Items that stay the same are left out. */
export interface Plan {
  pages: Step<Page, Archive['pages'][number]>[]
  parts: Step<Part, Archive['parts'][number]>[]
  records: Step<Record, Archive['records'][number]>[]
  files: Step<File, Archive['files'][number]>[]
}

/** Which parts each body includes by literal name. */
export type Includes = ReadonlyMap<string, string[]>

/**
 * Compares an archive with a space. Pages are matched by slug, parts by name, records by key, and files by id, or
 * otherwise by name if only one file has that name.
 *
 * @param deleteMissing whether items that are not in the archive are deleted
 */
export const planImport = async (
  sql: Sql,
  spaceId: string,
  archive: Archive,
  deleteMissing: boolean,
): Promise<Plan> => {
  const pages: Page[] = []
  for (const { id } of await listPages(sql, spaceId)) pages.push((await findPage(sql, spaceId, id))!)
  const parts: Part[] = []
  for (const { id } of await listParts(sql, spaceId)) parts.push((await findPart(sql, spaceId, id))!)
  const records = await listData(sql, spaceId)
  const files = await listFilesWithDigests(sql, spaceId)
  const byPath = matchFiles(files, archive.files)
  const stepsOf = <Before, After>(
    before: Before[],
    after: After[],
    match: (after: After) => Before | undefined,
    isSame: (before: Before, after: After) => boolean,
  ): Step<Before, After>[] => {
    const steps = after.map(one => ({ before: match(one), after: one }))
    const matched = new Set(steps.map(step => step.before))
    const missing = deleteMissing ? before.filter(one => !matched.has(one)) : []
    return [
      ...missing.map(one => ({ before: one, after: undefined })),
      ...steps.filter(step => step.before === undefined || !isSame(step.before, step.after)),
    ]
  }
  const by = <Thing, Key>(things: Thing[], keyOf: (thing: Thing) => Key) =>
    new Map(things.map(thing => [keyOf(thing), thing]))
  const pagesBySlug = by(pages, ({ slug }) => slug)
  const partsByName = by(parts, ({ name }) => name)
  const recordsByKey = by(records, ({ key }) => key)
  return {
    pages: stepsOf(
      pages,
      archive.pages,
      ({ slug }) => pagesBySlug.get(slug),
      (before, after) => before.kind === after.kind && before.html === after.html,
    ),
    parts: stepsOf(
      parts,
      archive.parts,
      ({ name }) => partsByName.get(name),
      (before, after) => before.html === after.html,
    ),
    records: stepsOf(
      records,
      archive.records,
      ({ key }) => recordsByKey.get(key),
      (before, after) =>
        before.description === after.description && before.value === JSON.stringify(after.value),
    ),
    files: stepsOf(
      files,
      archive.files,
      file => byPath.get(file),
      (before, after) => before.name === after.name && after.digest.equals(before.digest),
    ),
  }
}

/** Finds the existing file that each file of the archive replaces. */
const matchFiles = (files: File[], archived: Archive['files']): Map<Archive['files'][number], File> => {
  const matches = new Map<Archive['files'][number], File>()
  const byId = new Map(files.map(file => [file.id, file]))
  for (const one of archived) {
    const file = one.id === null ? undefined : byId.get(one.id)
    if (file) matches.set(one, file)
  }
  const taken = new Set(matches.values())
  const left = Map.groupBy(
    files.filter(file => !taken.has(file)),
    ({ name }) => name,
  )
  const open = Map.groupBy(
    archived.filter(one => !matches.has(one)),
    ({ name }) => name,
  )
  for (const [name, [one, another]] of open) {
    const [file, namesake] = left.get(name) ?? []
    if (one && file && !another && !namesake) matches.set(one, file)
  }
  return matches
}

/** Returns an id that identifies a plan and the current versions of the items that it changes. */
export const digestOfPlan = (plan: Plan): string => {
  const lines = Object.entries(plan).flatMap(([kind, steps]) =>
    (steps as Step<{ updated_at: Date }, object>[]).map(({ before, after }) =>
      JSON.stringify([kind, before, after]),
    ),
  )
  return createHash('sha256').update(lines.join('\n')).digest('base64url')
}

/** Counts the items after a plan: those before it, plus those added, minus those deleted. */
const countAfter = (existing: number, steps: Step<unknown, unknown>[]): number =>
  existing +
  steps.filter(({ before }) => before === undefined).length -
  steps.filter(({ after }) => after === undefined).length

/** What a space contains before an import. */
export interface Totals {
  pages: number
  parts: { id: string; name: string; includes: string[]; length: number }[]
  records: { key: string; size: number }[]
  files: { id: string; size: number }[]
}

/**
 * Refuses an import that would break a limit or close a cycle of includes. Call it under the space's lock.
 *
 * @throws `limit_reached`, `parts_quota_exceeded`, `data_quota_exceeded`, `storage_quota_exceeded`, `validation_failed`
 */
export const requireAllowed = (plan: Plan, totals: Totals, includes: Includes, max: CreationLimits): void => {
  const count = countAfter(totals.pages, plan.pages)
  requireSpaceFor(count > max.pages, `A space can have at most ${max.pages} pages; it would have ${count}.`)
  const partCount = countAfter(totals.parts.length, plan.parts)
  requireSpaceFor(
    partCount > max.parts,
    `A space can have at most ${max.parts} parts; it would have ${partCount}.`,
  )
  const fileCount = countAfter(totals.files.length, plan.files)
  requireSpaceFor(
    fileCount > max.files,
    `A space can have at most ${max.files} files; it would have ${fileCount}.`,
  )
  requirePartsAllowed(plan, totals.parts, includes)

  const records = new Map(totals.records.map(({ key, size }) => [key, size]))
  for (const { before, after } of plan.records) {
    if (before) records.delete(before.key)
    if (after) records.set(after.key, Buffer.byteLength(JSON.stringify(after.value)))
  }
  const bytes = records.values().reduce((sum, size) => sum + size, 0)
  if (records.size > rules.data.max_records || bytes > rules.data.total_max_bytes)
    throw new Problem('data_quota_exceeded', {
      detail: `The space would have ${records.size} records with ${bytes} bytes; the limits are ${rules.data.max_records} and ${rules.data.total_max_bytes}.`,
    })

  const used = totals.files.reduce((sum, { size }) => sum + size, 0)
  const stored = plan.files.reduce(
    (sum, { before, after }) => sum - (before?.size ?? 0) + (after?.size ?? 0),
    used,
  )
  if (stored > rules.file.quota_bytes)
    throw new Problem('storage_quota_exceeded', {
      detail: `The files would have ${stored} bytes; the limit is ${rules.file.quota_bytes}.`,
    })
}

const requirePartsAllowed = (plan: Plan, existing: Totals['parts'], includes: Includes) => {
  const lengths = new Map(existing.map(({ name, length }) => [name, length]))
  const graph = new Map(existing.map(part => [part.name, part.includes]))
  for (const { before, after } of plan.parts) {
    if (before) {
      lengths.delete(before.name)
      graph.delete(before.name)
    }
    if (after) {
      lengths.set(after.name, codePoints(after.html))
      graph.set(after.name, includes.get(after.html)!)
    }
  }
  const total = lengths.values().reduce((sum, length) => sum + length, 0)
  if (total > rules.part.total_max_length)
    throw new Problem('parts_quota_exceeded', {
      detail: `All parts together would have ${total} characters; the limit is ${rules.part.total_max_length}.`,
    })
  for (const { after } of plan.parts) {
    const cycle = after && findCycle(after.name, graph)
    if (cycle)
      throw invalid(`parts/${after.name}`, `must not create a cycle of includes: ${cycle.join(' → ')}`)
  }
}
