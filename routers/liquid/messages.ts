import type { TemplateError } from './template-error.ts'

/** How a page came out of its evaluation. */
export type RenderOutcome =
  | { ok: true; html: string; title: string | null; description: string | null }
  | { ok: false; error: TemplateError }

/** What a body names and whether it is valid Liquid. */
export interface TemplateAnalysis {
  /** Names of parts written literally in `render`, `include` and `layout`: unique, sorted. */
  references: string[]
  parses: boolean
}

/** To a child: evaluate a page. */
export interface RenderOrder {
  type: 'render'
  id: number
  space: string
  revision: string
  /** As JSON text; left out when the child is thought to have it. */
  snapshot?: string
  page: { slug: string; url: string; kind: 'scripted' | 'static'; hash: string }
  /** The page's body; left out when the child is thought to have parsed it. */
  html?: string
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
  /** The next timed piece of work has begun. */
  | { type: 'phase'; id: number }
  /** The child lacks something that was left out. */
  | { type: 'lacks'; id: number; snapshot: boolean; html: boolean }
  | { type: 'rendered'; id: number; outcome: RenderOutcome; bloated: boolean }
  | { type: 'analysed'; id: number; analysis: TemplateAnalysis; bloated: boolean }
