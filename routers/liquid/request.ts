import type { SiteSnapshot } from './snapshot.ts'

/** A page to be shown. */
export interface RenderRequest {
  /** Names the space for as long as it exists. */
  space: string
  /** Changes with anything that a template of the space can read. */
  revision: string
  /** Reads the space; called only when the child that takes the page lacks it at that revision. A string is its JSON text. */
  snapshot: () => Promise<SiteSnapshot | string>
  /** Reads the page's body; called only when the child lacks it at that revision. */
  body: () => Promise<string>
  page: { id: string; slug: string; url: string; kind: 'scripted' | 'static' }
}
