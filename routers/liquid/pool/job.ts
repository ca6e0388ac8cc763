import type { RenderOutcome, TemplateAnalysis } from '../messages.ts'
import type { RenderRequest } from '../request.ts'

/** A page waiting for, or in, evaluation. */
export interface RenderJob {
  type: 'render'
  request: RenderRequest
  /** Key of the page's body. */
  hash: string
  /** The page was cut off lately: it runs only in the place that such pages share. */
  confined: boolean
  snapshot: string | undefined
  resolve(outcome: RenderOutcome): void
}

/** A body waiting for, or in, analysis. */
export interface AnalyseJob {
  type: 'analyse'
  html: string
  confined: false
  resolve(analysis: TemplateAnalysis): void
}

export type Job = (RenderJob | AnalyseJob) & {
  reject(error: Error): void
  /** How often a child was lost while at it. */
  losses: number
}
