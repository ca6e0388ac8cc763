import { findPart, listPartEdges, updatePart } from '../../../db/queries/parts.ts'
import { sendLast } from '../../../db/transaction-connection.ts'
import type { SpaceCall } from '../../access/in-space.ts'
import { codePoints } from '../../core/fields.ts'
import { after, requirePrecondition } from '../../core/precondition.ts'
import { invalid, Problem } from '../../core/problem.ts'
import { rules } from '../../core/rules.ts'
import { includesOf } from '../includes.ts'

/** A stored part, before the change. */
export type PartBefore = NonNullable<Awaited<ReturnType<typeof findPart>>>

interface Change {
  part_id: string
  name?: string | undefined
  html?: string | undefined
}

/**
 * Throws if the part would close a cycle of includes, or if all parts of the space together would be too long.
 *
 * @param edges all parts, each with the names of the parts that it includes. Read them under the space's lock.
 * Otherwise, two concurrent writes could create a cycle that neither of them creates alone.
 * @param field the field that the error about a cycle names
 */
export const checkPart = (
  edges: Awaited<ReturnType<typeof listPartEdges>>,
  part: { id: string; name: string; includes: string[]; length: number },
  field: 'html' | 'name',
) => {
  const others = edges.filter(({ id }) => id !== part.id)
  const graph = new Map(others.map(({ name, includes }) => [name, includes]))
  const cycle = findCycle(part.name, graph.set(part.name, part.includes))
  if (cycle) throw invalid(field, `must not create a cycle of includes: ${cycle.join(' → ')}`)
  const total = others.reduce((sum, { length }) => sum + length, part.length)
  if (total > rules.part.total_max_length)
    throw new Problem('parts_quota_exceeded', {
      detail: `All parts together would have ${total} characters; the limit is ${rules.part.total_max_length}.`,
    })
}

/**
 * Changes the given fields of a part.
 *
 * @param check called with the stored part under the space's lock, unless nothing would change; throws to refuse
 * @throws `part_not_found`, `precondition_failed` or `parts_quota_exceeded`; `validation_failed` if the part would
 * close a cycle of includes; a violation of `parts_name_unique` if another part has the new name
 */
export const changePart = async (
  ctx: SpaceCall,
  { part_id, ...change }: Change,
  check: (before: PartBefore) => void = () => {},
) => {
  const { space, write, precondition } = ctx
  const includes = change.html === undefined ? undefined : await includesOf(ctx, change.html)
  return write(async current => {
    const [before, edges] = await Promise.all([
      findPart(current.sql, space.id, part_id),
      listPartEdges(current.sql, space.id),
    ])
    if (!before) throw new Problem('part_not_found')
    requirePrecondition(precondition, before, 'part')
    const { name = before.name, html = before.html } = change
    if (name === before.name && html === before.html) return before
    check(before)
    const part = {
      name,
      includes: includes ?? before.includes,
      length: html === before.html ? before.length : codePoints(html),
    }
    checkPart(edges, { id: before.id, ...part }, html === before.html ? 'name' : 'html')
    const changed = { ...part, html, updated_at: after(before.updated_at) }
    sendLast(current.sql, () => updatePart(current, before.id, changed))
    return { ...before, ...changed }
  })
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
