import { codePoints } from '../../core/fields.ts'
import type { CreationLimits } from '../../core/rules.ts'
import { checkParts, checkRecords, checkStorage, refuseTooMany } from '../limits.ts'
import type { Plan, Step } from './plan.ts'

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
