import { Heads } from './heads.ts'
import type { HeadOutcome, RenderOutcome, TemplateAnalysis } from './messages.ts'
import { Pool, type PoolLog } from './pool/pool.ts'
import type { RenderRequest } from './request.ts'

export { RendererBusyError } from './busy.ts'
export type { HeadOutcome, TemplateAnalysis } from './messages.ts'
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
  /** What a page's document says about itself. Its page is evaluated only where that is not known already. */
  head(request: RenderRequest): Promise<HeadOutcome>
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
  const heads = new Heads()
  const evaluate = async (request: RenderRequest, headOnly: boolean) => {
    const outcome = await pool.render(request, headOnly)
    heads.note(request, outcome)
    return outcome
  }
  return {
    render: request => evaluate(request, false),
    head: async request => heads.find(request) ?? evaluate(request, true),
    analyse: html => pool.analyse(html),
    stop: () => pool.stop(),
  }
}
