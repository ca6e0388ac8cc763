import { createHash } from 'node:crypto'
import { codePoints } from '../../api/fields.ts'
import type { CreationLimits } from '../../api/rules.ts'
import { hasFields } from '../item-fields.ts'
import { checkParts, checkRecords, checkStorage, refuseTooMany } from '../limits.ts'
import { type CurrentContent, planSettings, type SettingStep } from './current-content.ts'
import type { IdentifiedFile } from './files.ts'
import type { Archive } from './read-archive.ts'

/** What an import does to one item. `before` is undefined if the item is added, `after` if it is deleted. */
export interface Step<Before, After> {
  before: Before | undefined
  after: After | undefined
}

/** What an import does to a space. Items that stay the same are left out. */
export interface Plan {
  settings: SettingStep[]
  pages: Step<CurrentContent['pages'][number], Archive['pages'][number]>[]
  parts: Step<CurrentContent['parts'][number], Archive['parts'][number]>[]
  records: Step<CurrentContent['records'][number], Archive['records'][number]>[]
  files: Step<CurrentContent['files'][number], IdentifiedFile>[]
}

/**
 * Compares an archive with a space. Pages are matched by slug, parts by name, records by key, and files as in {@link
 * matchFiles}.
 *
 * @param archive the archive to import. The files already have the ids from {@link matchFiles}, and the bodies already
 * contain the new addresses of these files
 * @param deleteMissing whether items that are not in the archive are deleted
 */
export const planImport = (
  current: CurrentContent,
  archive: Omit<Archive, 'files'> & { files: IdentifiedFile[] },
  deleteMissing: boolean,
): Plan => {
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
  const pagesBySlug = by(current.pages, ({ slug }) => slug)
  const partsByName = by(current.parts, ({ name }) => name)
  const recordsByKey = by(current.records, ({ key }) => key)
  const filesById = by(current.files, ({ id }) => id)
  return {
    settings: planSettings(current.settings, archive, deleteMissing),
    pages: stepsOf(
      current.pages,
      archive.pages,
      ({ slug }) => pagesBySlug.get(slug),
      (before, { body, created_at: _created, updated_at: _updated, ...fields }) =>
        hasFields(before, fields) && current.digests.get(before.id)?.equals(body.digest) === true,
    ),
    parts: stepsOf(
      current.parts,
      archive.parts,
      ({ name }) => partsByName.get(name),
      (before, { includes: _, ...fields }) => hasFields(before, fields),
    ),
    records: stepsOf(current.records, archive.records, ({ key }) => recordsByKey.get(key), hasFields),
    files: stepsOf(
      current.files,
      archive.files,
      ({ id }) => filesById.get(id ?? ''),
      (before, { id: _id, path: _path, read: _read, ...fields }) => hasFields(before, fields),
    ),
  }
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

/**
 * Refuses a plan that increases the number of items of a kind above the maximum. A plan that does not increase
 * the number is allowed even if the space has too many items, because an operator may have lowered the maximum.
 */
const requireCount = (
  kind: 'pages' | 'parts' | 'files',
  existing: number,
  steps: Step<unknown, unknown>[],
  max: CreationLimits,
): void => {
  const count =
    existing +
    steps.filter(({ before }) => before === undefined).length -
    steps.filter(({ after }) => after === undefined).length
  refuseTooMany(count > existing && count > max[kind], kind, max, count)
}

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
export const requireAllowed = (plan: Plan, totals: Totals, max: CreationLimits): void => {
  requireCount('pages', totals.pages, plan.pages, max)
  requireCount('parts', totals.parts.length, plan.parts, max)
  requireCount('files', totals.files.length, plan.files, max)
  requirePartsAllowed(plan, totals.parts)

  const records = new Map(totals.records.map(({ key, size }) => [key, size]))
  for (const { before, after } of plan.records) {
    if (before) records.delete(before.key)
    if (after) records.set(after.key, Buffer.byteLength(after.value))
  }
  const bytes = records.values().reduce((sum, size) => sum + size, 0)
  checkRecords(records.size, bytes)

  const used = totals.files.reduce((sum, { size }) => sum + size, 0)
  const stored = plan.files.reduce(
    (sum, { before, after }) => sum - (before?.size ?? 0) + (after?.size ?? 0),
    used,
  )
  checkStorage(stored)
}

const requirePartsAllowed = (plan: Plan, existing: Totals['parts']) => {
  const parts = new Map(existing.map(part => [part.name, part]))
  for (const { before } of plan.parts) if (before) parts.delete(before.name)
  for (const { after } of plan.parts)
    if (after) parts.set(after.name, { ...after, id: after.name, length: codePoints(after.html) })
  const written = plan.parts.flatMap(({ after }) => (after ? [after.name] : []))
  checkParts([...parts.values()], new Map(written.map(name => [name, `parts/${name}`])))
}
