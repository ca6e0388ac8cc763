import type {
  PartRename,
  RenamedBody,
  RenderOutcome,
  RenderRequest,
  TemplateAnalysis,
} from '../../api/renderer.ts'

/** A page to evaluate. */
export interface RenderJob {
  type: 'render'
  request: RenderRequest
  headOnly: boolean
  /** The space's snapshot and the page's body, if they were read because the chosen worker did not have them. */
  snapshot: string | undefined
  html: string | undefined
  resolve(outcome: RenderOutcome): void
}

/** A body to analyze. */
export interface AnalyzeJob {
  type: 'analyze'
  html: string
  /** If given, this part is renamed in the body before the analysis. */
  rename?: PartRename
  resolve(analysis: TemplateAnalysis | RenamedBody): void
}

/**
 * What is known about the template of a job:
 *
 * - `quick`: the template is quick
 * - `unproven`: the template is not known to be quick or slow
 * - `long`: the template is slow, or the job was interrupted for other jobs
 * - `suspect`: the template was cut off repeatedly
 *
 * One worker is reserved for quick jobs, but an unproven job may borrow it. Suspect jobs run one at a time, while no
 * other job is waiting.
 */
export type Standing = 'quick' | 'unproven' | 'long' | 'suspect'

export type Job = (RenderJob | AnalyzeJob) & {
  standing: Standing
  /** The account whose turn the job takes. */
  account: string
  /** Whether the job runs on the worker that is reserved for quick jobs, and yields to them at once. */
  borrows: boolean
  reject(error: Error): void
  /** Number of attempts that failed for reasons that are not the job's fault. */
  losses: number
}
