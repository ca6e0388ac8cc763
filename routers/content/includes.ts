import type { Core } from '../core/context.ts'
import { canInclude } from '../liquid/engine/references.ts'

/**
 * Finds the parts that a body names literally. Only a body that can name one is parsed, in a worker process.
 *
 * @returns their names: unique, sorted
 * @throws RendererBusyError when the renderer's queue is full
 */
export const includesOf = async ({ renderer }: Pick<Core, 'renderer'>, html: string): Promise<string[]> =>
  canInclude(html) ? (await renderer.analyse(html)).references : []
