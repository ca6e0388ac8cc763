import type { z } from 'zod'
import { newId } from '../../../db/id.ts'
import { isSpaceFullOfPages } from '../../../db/queries/full.ts'
import { insertItem } from '../../../db/queries/item-rows.ts'
import type { ContentWriter } from '../../api/in-space.ts'
import { keepAnswer } from '../../api/safe-retries.ts'
import { includesOfSaved } from '../includes.ts'
import { refuseTooMany } from '../limits.ts'
import { explainTakenSlug } from '../name-conflicts.ts'
import { type Page, type PageFields, toPage } from './schema.ts'

/**
 * Creates a page.
 *
 * @throws `slug_taken`, `limit_reached`
 */
export const createPage = async (
  ctx: ContentWriter,
  fields: z.output<typeof PageFields>,
  id = newId(),
): Promise<z.output<typeof Page>> => {
  const includes = await includesOfSaved(ctx, fields.html)
  const now = new Date()
  const page = { id, ...fields, created_at: now, updated_at: now }
  const created = () => toPage(ctx.core.addresses, ctx.space, page)
  const creation = ctx.write(async write => {
    const { creationLimits } = ctx.core
    // Check the limit after the insert, so that a taken slug is reported first.
    const [, isFull] = await Promise.all([
      insertItem(write, 'page', { ...page, includes }),
      isSpaceFullOfPages(write.sql, ctx.space.id, creationLimits.pages + 1),
    ])
    refuseTooMany(isFull, 'pages', creationLimits)
    keepAnswer(ctx, write.sql, created)
  })
  await creation.catch(error => explainTakenSlug(ctx, page.slug, error))
  return created()
}
