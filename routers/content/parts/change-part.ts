import type { z } from 'zod'
import { updateItem } from '../../../db/queries/item-rows.ts'
import { findPart, listPartEdges } from '../../../db/queries/parts.ts'
import { sendLast } from '../../../db/transaction.ts'
import { codePoints } from '../../api/fields.ts'
import type { SpaceCall } from '../../api/in-space.ts'
import { after, requirePrecondition } from '../../api/precondition.ts'
import { Problem } from '../../api/problem.ts'
import { includesOfSaved } from '../includes.ts'
import { hasFields, type Sent, withFields } from '../item-fields.ts'
import { checkPart } from '../limits.ts'
import type { PartFields } from './schema.ts'

/** A stored part. */
export type PartRow = NonNullable<Awaited<ReturnType<typeof findPart>>>

/**
 * Changes the given fields of a part.
 *
 * @param check called with the stored part under the space's lock, unless nothing would change; throws to refuse
 * @throws `part_not_found`, `precondition_failed` or `parts_quota_exceeded`; `validation_failed` if the part would
 * close a cycle of includes; a violation of `parts_name_unique` if another part has the new name
 */
export const changePart = async (
  ctx: SpaceCall,
  id: string,
  sent: Sent<z.output<typeof PartFields>>,
  check: (before: PartRow) => void = () => {},
): Promise<PartRow> => {
  const { space, write, precondition } = ctx
  const includes = sent.html === undefined ? undefined : await includesOfSaved(ctx, sent.html)
  return write(async current => {
    const [before, edges] = await Promise.all([
      findPart(current.sql, space.id, id),
      listPartEdges(current.sql, space.id),
    ])
    if (!before) throw new Problem('part_not_found')
    requirePrecondition(precondition, before, 'part')
    if (hasFields(before, sent)) return before
    check(before)
    const part = nextPart(before, sent, includes)
    checkPart(edges, part, part.html === before.html ? 'name' : 'html')
    sendLast(current.sql, () => updateItem(current, 'part', id, part))
    return part
  })
}

/**
 * Returns the state of a part after a change.
 *
 * @param includes the names of the parts that the new body includes; undefined if the part keeps its body
 */
export const nextPart = (
  before: PartRow,
  sent: Sent<z.output<typeof PartFields>>,
  includes: string[] | undefined,
): PartRow => ({
  ...withFields(before, sent),
  ...(sent.html !== undefined && { length: codePoints(sent.html) }),
  ...(includes && { includes }),
  updated_at: after(before.updated_at),
})
