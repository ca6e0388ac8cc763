import type { Outputs } from '../api.ts'
import type { Fields, Stored } from '../editor/use-editing.ts'

export type PageFieldsOf = Fields & { slug: string; kind: 'scripted' | 'static' }

/** A page as the editor keeps it. */
export const storedPage = ({
  slug,
  kind,
  html,
  updated_at,
}: Outputs['pages']['get']): Stored<PageFieldsOf> => ({ fields: { slug, kind, html }, updated_at })
