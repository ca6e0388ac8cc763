import { findMissingParts } from '../../db/queries/parts.ts'
import type { ContentWriter, SpaceCall } from '../api/in-space.ts'
import { canInclude } from '../rendering/engine/references.ts'

/** Who sent a body. */
export type BodyAuthor = Pick<SpaceCall, 'core' | 'accountId'>

/**
 * Finds the parts that a body includes by a literal name. A worker process parses the body. A body that
 * obviously includes nothing is not parsed.
 *
 * @returns the names of the parts: unique, sorted
 * @throws RendererBusyError when the renderer's queue is full
 */
export const includesOf = async ({ core, accountId }: BodyAuthor, html: string): Promise<string[]> =>
  canInclude(html) ? (await core.renderer.analyze(html, accountId)).references : []

/**
 * Like {@link includesOf}, for a page or part that is saved by a call. If the caller wants to know, also reports whether
 * the body is not valid, or includes parts that do not exist. A body that obviously includes nothing is not parsed for
 * this either: parsing it would take longer than saving it.
 */
export const includesOfSaved = async (ctx: ContentWriter, html: string): Promise<string[]> => {
  const { core, accountId, onTemplateError, sql, space } = ctx
  if (!onTemplateError || !canInclude(html)) return includesOf(ctx, html)
  const { references, parses } = await core.renderer.analyze(html, accountId)
  if (!parses) onTemplateError('syntax')
  else if (references.length > 0 && (await findMissingParts(sql, space.id, references)))
    onTemplateError('missing_part')
  return references
}
