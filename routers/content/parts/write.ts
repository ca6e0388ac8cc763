import type { Sql } from '../../../db/orm.ts'
import { findPart, listPartEdges, updatePart } from '../../../db/queries/parts.ts'
import { codePoints } from '../../core/fields.ts'
import { after } from '../../core/instant.ts'
import { invalid, Problem } from '../../core/problem.ts'
import { rules } from '../../core/rules.ts'
import type { Writer } from '../pages/write.ts'
import { findCycle } from './cycle.ts'

/** A part as it is stored. */
export type PartBefore = NonNullable<Awaited<ReturnType<typeof findPart>>>

interface Change {
  part_id: string
  name?: string | undefined
  html?: string | undefined
}

/**
 * Refuses a part that would make the space's parts include each other in a circle or exceed their total.
 * The space must be locked: two writes could each be lawful alone.
 *
 * @param field where a circle is reported: the one whose change closes it
 */
export const admitPart = async (
  sql: Sql,
  spaceId: string,
  part: { id: string; name: string; includes: string[]; length: number },
  field: 'html' | 'name',
) => {
  const others = (await listPartEdges(sql, spaceId)).filter(({ id }) => id !== part.id)
  const graph = new Map(others.map(({ name, includes }) => [name, includes]))
  const cycle = findCycle(part.name, graph.set(part.name, part.includes))
  if (cycle) throw invalid(field, `must not make parts include each other in a circle: ${cycle.join(' → ')}`)
  const total = others.reduce((sum, { length }) => sum + length, part.length)
  if (total > rules.part.total_max_length)
    throw new Problem('parts_quota_exceeded', {
      detail: `The parts would have ${total} characters together; ${rules.part.total_max_length} are allowed.`,
    })
}

/**
 * Changes the fields of a part that are given.
 *
 * @param admit called with the part as it is, under the space's lock, unless nothing would change; it may throw
 * @throws `part_not_found`, `parts_quota_exceeded`, a circle of includes, a violation of `parts_name_unique`
 */
export const changePart = async (
  { core, space, write }: Writer,
  { part_id, ...change }: Change,
  admit: (before: PartBefore) => void = () => {},
) => {
  const analysis = change.html === undefined ? undefined : await core.renderer.analyse(change.html)
  return write(async sql => {
    const before = await findPart(sql, space.id, part_id)
    if (!before) throw new Problem('part_not_found')
    const { name = before.name, html = before.html } = change
    if (name === before.name && html === before.html) return before
    admit(before)
    const part = {
      name,
      includes: analysis?.references ?? before.includes,
      length: html === before.html ? before.length : codePoints(html),
    }
    await admitPart(sql, space.id, { id: before.id, ...part }, html === before.html ? 'name' : 'html')
    return updatePart(sql, space.id, part_id, {
      ...part,
      ...(html === before.html ? {} : { html }),
      updated_at: after(before.updated_at),
    })
  })
}
