import type { RenderOutcome, TemplateAnalysis } from '../core/renderer.ts'

/** How a child evaluated a page. */
export interface Evaluated {
  outcome: RenderOutcome
  /** Processor time in ms, which does not grow when others want the processor too. */
  spent: number
  /** Whether the page's body came with the order, and had to be parsed. */
  parsed: boolean
}

/** To a child: evaluate a page. */
export interface RenderOrder {
  type: 'render'
  id: number
  space: string
  revision: string
  /** As JSON text; left out when the child is thought to have it. */
  snapshot?: string
  page: { id: string; slug: string; url: string; kind: 'scripted' | 'static' }
  /** The page's body; left out when the child is thought to have it at that revision. */
  html?: string
  /** Only what the document says about itself is asked for. */
  headOnly: boolean
}

/** To a child: find what a body names. */
export interface AnalyseOrder {
  type: 'analyse'
  id: number
  html: string
}

export type Order = RenderOrder | AnalyseOrder

/** From a child. */
export type Report =
  | { type: 'ready' }
  /** It has rested and still holds more memory than it should: another process would be smaller. */
  | { type: 'bloated' }
  /** The next timed piece of work has begun. */
  | { type: 'phase'; id: number }
  /** The child lacks the page's body, which was left out, and maybe the snapshot. */
  | { type: 'lacks'; id: number; snapshot: boolean }
  | ({ type: 'rendered'; id: number; bloated: boolean } & Evaluated)
  | { type: 'analysed'; id: number; analysis: TemplateAnalysis; bloated: boolean }
