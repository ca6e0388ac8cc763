import type { Renderer, RenderRequest } from '../core/renderer.ts'
import { Heads } from './heads.ts'
import { Pool, type PoolLog } from './pool/pool.ts'

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
