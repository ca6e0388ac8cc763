import { findPart, listPartEdges, updatePart } from '../../../db/queries/parts.ts'
import { sendLast } from '../../../db/transaction.ts'
import { codePoints } from '../../api/fields.ts'
import type { SpaceCall } from '../../api/in-space.ts'
import { after, requirePrecondition } from '../../api/precondition.ts'
import { Problem } from '../../api/problem.ts'
import { includesOfSaved } from '../includes.ts'
import { checkPart } from '../limits.ts'

/** A stored part, before the change. */
export type PartBefore = NonNullable<Awaited<ReturnType<typeof findPart>>>

interface Change {
  part_id: string
  name?: string | undefined
  html?: string | undefined
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
  const includes = change.html === undefined ? undefined : await includesOfSaved(ctx, change.html)
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
