import type { SpaceCall } from '../api/in-space.ts'
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
