import type { Outputs } from '../api.ts'
import type { Fields, Stored } from '../editor/use-template-draft.ts'
import { BLANK, EXAMPLES } from './examples.ts'
import type { ExampleName } from './page-search.ts'

export type PageValues = Fields & { slug: string; kind: 'scripted' | 'static' }

/** Converts a page from the API to the shape that the editor uses. */
export const storedPage = ({
  id,
  slug,
  kind,
  html,
  updated_at,
}: Outputs['pages']['get']): Stored<PageValues> => ({ id, fields: { slug, kind, html }, updated_at })

/** A new page. @param example the name of the example to start with */
export const newPage = (example: ExampleName | undefined): Stored<PageValues> => {
  const { slug, kind, html } = example === undefined ? BLANK : EXAMPLES[example]
  return { id: null, fields: { slug, kind, html }, updated_at: null }
}
