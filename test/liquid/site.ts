import type { Renderer, RenderOutcome, RenderRequest, SiteSnapshot } from '../../routers/api/renderer.ts'

/** The contents of a space in which tests evaluate templates. The values in `data` are JavaScript values. */
export interface Trial {
  parts?: Record<string, string>
  data?: Record<string, unknown>
  pages?: SiteSnapshot['pages']
  files?: SiteSnapshot['files']
  kind?: 'scripted' | 'static'
  slug?: string
}

export function snapshotOf({ parts = {}, data = {}, pages = [], files = [] }: Trial): SiteSnapshot {
  return {
    space: { name: 'Salt & Pepper', subdomain: 'salt', url: 'https://salt.example' },
    pages,
    files,
    data: Object.fromEntries(Object.entries(data).map(([key, value]) => [key, JSON.stringify(value)])),
    parts: Object.entries(parts).map(([name, html]) => ({ name, html })),
  }
}

let revisions = 0

/**
 * Returns a request to render a page with this body. The page is in a new space unless `space` is given. Each space
 * belongs to another account.
 */
export function requestFor(html: string, trial: Trial = {}, space = `space-${revisions + 1}`): RenderRequest {
  revisions += 1
  const slug = trial.slug ?? 'menu'
  return {
    space,
    account: space,
    revision: String(revisions),
    snapshot: () => Promise.resolve(snapshotOf(trial)),
    body: () => Promise.resolve(html),
    page: {
      id: `page-${revisions}`,
      slug,
      url: `https://salt.example/${slug}`,
      kind: trial.kind ?? 'scripted',
    },
  }
}

/** Renders a page in a new space. */
export function renderIn(renderer: Renderer, html: string, trial?: Trial): Promise<RenderOutcome> {
  return renderer.render(requestFor(html, trial))
}

/** Returns the HTML of a result. Throws if the result is an error. */
export function htmlOf(result: RenderOutcome): string {
  if (!result.ok) throw new Error(`${result.error.kind}: ${result.error.message}`)
  return result.html.toString()
}
