import type { z } from 'zod'
import { updateItem, updatePageHead } from '../../../db/queries/item-rows.ts'
import { findPage } from '../../../db/queries/pages.ts'
import type { SpaceWrite } from '../../../db/space-write.ts'
import { sendLast } from '../../../db/transaction.ts'
import type { ContentWriter } from '../../api/in-space.ts'
import { after, requirePrecondition } from '../../api/precondition.ts'
import { Problem } from '../../api/problem.ts'
import { includesOfSaved } from '../includes.ts'
import { hasFields, type Sent, withFields } from '../item-fields.ts'
import type { PageFields } from './schema.ts'

/** A stored page. */
export type PageRow = NonNullable<Awaited<ReturnType<typeof findPage>>>

/**
 * Writes the new state of a page.
 *
 * @param includes the names of the parts that a new body includes; undefined if the page keeps its body
 */
export const writePage = (write: SpaceWrite, page: PageRow, includes: string[] | undefined) =>
  includes ? updateItem(write, 'page', page.id, { ...page, includes }) : updatePageHead(write, page.id, page)

/**
 * Changes the given fields of a page.
 *
 * @param check called with the stored page under the space's lock, unless nothing would change; throws to refuse
 * @throws `page_not_found`, `precondition_failed`, a violation of `pages_slug_unique`
 */
export const changePage = async (
  ctx: ContentWriter,
  id: string,
  sent: Sent<z.output<typeof PageFields>>,
  check: (before: PageRow) => void = () => {},
): Promise<PageRow> => {
  const { space, write, precondition } = ctx
  const includes = sent.html === undefined ? undefined : await includesOfSaved(ctx, sent.html)
  return write(async current => {
    const before = await findPage(current.sql, space.id, id)
    if (!before) throw new Problem('page_not_found')
    requirePrecondition(precondition, before, 'page')
    if (hasFields(before, sent)) return before
    check(before)
    const page = { ...withFields(before, sent), updated_at: after(before.updated_at) }
    sendLast(current.sql, () => writePage(current, page, includes))
    return page
  })
}
