import type { PartRename, RenamedBody, RenderOutcome, TemplateAnalysis } from '../api/renderer.ts'

/** Argument that tells a worker process that its parent watches the worker's processor time. */
export const WATCHED = '--watched'

/** A worker's result for a page. */
export interface Evaluated {
  outcome: RenderOutcome
  /** Processor time of the job, in ms. */
  spent: number
  /** Whether the message included the page's body, which then had to be parsed. */
  parsed: boolean
}

/** Message to a worker: evaluate a page. */
export interface RenderOrder {
  type: 'render'
  id: number
  space: string
  revision: string
  /** JSON text; left out when the worker should already have it. */
  snapshot?: string
  page: { id: string; slug: string; url: string; kind: 'scripted' | 'static' }
  /** The page's body at `revision`. Left out if the worker should already have it. */
  html?: string
  /** Whether to leave out the document and return only its head. */
  headOnly: boolean
}

/** Message to a worker: find the parts that a body names. */
export interface AnalyzeOrder {
  type: 'analyze'
  id: number
  html: string
  /** If given, the worker renames this part in the body before it analyzes the body. */
  rename?: PartRename
}

export type Order = RenderOrder | AnalyzeOrder

/** A message from a worker. */
export type Report =
  | { type: 'ready' }
  /** The worker is idle, uses more memory than it should, and should be replaced. */
  | { type: 'bloated' }
  /**
   * The job's next phase has begun: parsing, evaluating or sanitizing. `threadTime`: processor time of the worker's
   * main thread at that moment, in ms.
   */
  | { type: 'phase'; id: number; threadTime: number }
  /**
   * The machine was too busy to give the job its processor time, or the parent interrupted the job for other
   * jobs. The job is not done.
   */
  | { type: 'starved'; id: number }
  /**
   * The `RenderOrder` left out the snapshot or the body, but the worker does not have what was left out. So the worker
   * could not do the job. `snapshot`: true if the snapshot is missing, false if only the body is missing.
   */
  | { type: 'missing'; id: number; snapshot: boolean }
  | ({ type: 'rendered'; id: number; bloated: boolean } & Evaluated)
  | { type: 'analyzed'; id: number; analysis: TemplateAnalysis | RenamedBody; bloated: boolean }
