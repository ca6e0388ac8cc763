import type {
  PartRename,
  RenamedBody,
  RenderOutcome,
  RenderRequest,
  TemplateAnalysis,
} from '../../core/renderer.ts'

/** A page to evaluate. */
export interface RenderJob {
  type: 'render'
  request: RenderRequest
  headOnly: boolean
  /** Read for this job because the chosen worker did not have it. */
  snapshot: string | undefined
  html: string | undefined
  resolve(outcome: RenderOutcome): void
}

/** A body to analyze. */
export interface AnalyzeJob {
  type: 'analyze'
  html: string
  /** A part to rename in the body first. */
  rename?: PartRename
  resolve(analysis: TemplateAnalysis | RenamedBody): void
}

/**
 * What is known about a job's template: it is quick, nothing is known, or it was cut off recently. Jobs that are not
 * quick never occupy all workers; suspect jobs run one at a time, while no other job is waiting.
 */
export type Standing = 'quick' | 'unproven' | 'suspect'

export type Job = (RenderJob | AnalyzeJob) & {
  standing: Standing
  reject(error: Error): void
  /** Number of attempts that failed for reasons that are not the job's fault. */
  losses: number
}
