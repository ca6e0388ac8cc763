import { codePoints } from '../../core/fields.ts'
import { invalid, Problem, requireSpaceFor } from '../../core/problem.ts'
import { type CreationLimits, rules } from '../../core/rules.ts'
import { findCycle } from '../parts/change-part.ts'
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
  requireSpaceFor(
    count > existing && count > max[kind],
    `A space can have at most ${max[kind]} ${kind}; it would have ${count}.`,
  )
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

const requirePartsAllowed = (plan: Plan, existing: Totals['parts']) => {
  const lengths = new Map(existing.map(({ name, length }) => [name, length]))
  const graph = new Map(existing.map(part => [part.name, part.includes]))
  for (const { before, after } of plan.parts) {
    if (before) {
      lengths.delete(before.name)
      graph.delete(before.name)
    }
    if (after) {
      lengths.set(after.name, codePoints(after.html))
      graph.set(after.name, after.includes)
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
