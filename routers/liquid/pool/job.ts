import type { RenderOutcome, RenderRequest, TemplateAnalysis } from '../../core/renderer.ts'

/** A page waiting for, or in, evaluation. */
export interface RenderJob {
  type: 'render'
  request: RenderRequest
  headOnly: boolean
  /** What was read for it, since the child that was to take it lacked that. */
  snapshot: string | undefined
  html: string | undefined
  resolve(outcome: RenderOutcome): void
}

/** A body waiting for, or in, analysis. */
export interface AnalyseJob {
  type: 'analyse'
  html: string
  resolve(analysis: TemplateAnalysis): void
}

/**
 * What is known of a job's template: that it is quick, nothing, or that it was cut off lately. Those
 * that are not known to be quick never take all children; the last kind has one of its own.
 */
export type Standing = 'quick' | 'unproven' | 'confined'

export type Job = (RenderJob | AnalyseJob) & {
  standing: Standing
  reject(error: Error): void
  /** How often a child was lost while at it. */
  losses: number
  /** When a child began it, by the clock of `performance`. */
  begun: number
}
