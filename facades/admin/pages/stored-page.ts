import type { Outputs } from '../api.ts'
import type { Fields, Stored } from '../editor/use-editing.ts'
import { BLANK, EXAMPLES } from './examples.ts'

export type PageFieldsOf = Fields & { slug: string; kind: 'scripted' | 'static' }

/** A page as the editor keeps it. */
export const storedPage = ({
  id,
  slug,
  kind,
  html,
  updated_at,
}: Outputs['pages']['get']): Stored<PageFieldsOf> => ({ id, fields: { slug, kind, html }, updated_at })

/** A page that is not there yet. @param example the one that it begins with */
export const newPage = (example: string | undefined): Stored<PageFieldsOf> => {
  const { slug, kind, html } = (example !== undefined && EXAMPLES[example]) || BLANK
  return { id: null, fields: { slug, kind, html }, updated_at: null }
}
