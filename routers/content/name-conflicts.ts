import { violatedConstraint } from '../../db/errors.ts'
import { findPageBySlug } from '../../db/queries/pages.ts'
import { findPartByName } from '../../db/queries/parts.ts'
import type { ContentWriter } from '../api/in-space.ts'
import { Problem } from '../api/problem.ts'

/**
 * If the error is a violation of `pages_slug_unique`, throws `slug_taken` with the id of the page that has the slug.
 * Rethrows other errors.
 */
export const explainTakenSlug = async (
  ctx: Pick<ContentWriter, 'sql' | 'space'>,
  slug: string,
  error: unknown,
): Promise<never> => {
  if (violatedConstraint(error) !== 'pages_slug_unique') throw error
  const holder = await findPageBySlug(ctx.sql, ctx.space.id, slug)
  throw holder ? new Problem('slug_taken', { detail: `The page ${holder.id} has this slug.` }) : error
}

/**
 * If the error is a violation of `parts_name_unique`, throws `part_name_taken` with the id of the part that has the
 * name. Rethrows other errors.
 */
export const explainTakenName = async (
  ctx: Pick<ContentWriter, 'sql' | 'space'>,
  name: string,
  error: unknown,
): Promise<never> => {
  if (violatedConstraint(error) !== 'parts_name_unique') throw error
  const holder = await findPartByName(ctx.sql, ctx.space.id, name)
  throw holder ? new Problem('part_name_taken', { detail: `The part ${holder.id} has this name.` }) : error
}
