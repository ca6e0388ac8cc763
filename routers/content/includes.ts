import type { Core } from '../core/context.ts'
import { canInclude } from '../liquid/engine/references.ts'

/**
 * Finds the parts that a body includes by a literal name. A worker process parses the body. A body that
 * obviously includes nothing is not parsed.
 *
 * @returns the names of the parts: unique, sorted
 * @throws RendererBusyError when the renderer's queue is full
 */
export const includesOf = async ({ renderer }: Pick<Core, 'renderer'>, html: string): Promise<string[]> =>
  canInclude(html) ? (await renderer.analyze(html)).references : []
