import type { RenderOutcome, TemplateAnalysis } from './messages.ts'
import { Pool, type PoolLog } from './pool/pool.ts'
import type { RenderRequest } from './request.ts'

export { RendererBusyError } from './busy.ts'
export type { TemplateAnalysis } from './messages.ts'
export type { RenderRequest } from './request.ts'
export type { SiteSnapshot } from './snapshot.ts'
export type { TemplateError } from './template-error.ts'

/** The page as HTML with what it says about itself, or what is wrong with its template. */
export type RenderResult = RenderOutcome

/** Evaluates templates in processes of their own. */
export interface Renderer {
  /**
   * Evaluates a page. Whatever its template does is a result, errors included. Rejects with a
   * {@link RendererBusyError} when too many pages are waiting, and with whatever `snapshot` rejects with.
   */
  render(request: RenderRequest): Promise<RenderResult>
  /** Finds the parts that a body names literally. Rejects with a {@link RendererBusyError} as `render` does. */
  analyse(html: string): Promise<TemplateAnalysis>
  /** Ends all processes; what is still waiting is rejected. Resolves when none is left. */
  stop(): Promise<void>
}

/**
 * Starts evaluating processes: `processes` of them and one in reserve. Usable at once; the first pages wait until a
 * process is up.
 */
export function startRenderer(options: { processes: number; log?: PoolLog }): Renderer {
  const pool = new Pool(options)
  return {
    render: request => pool.render(request),
    analyse: html => pool.analyse(html),
    stop: () => pool.stop(),
  }
}
