import { z } from 'zod'

/**
 * What an import does or would do to one item. If `kind` is `'space'`, the item is the name of the space or its icon.
 * In these cases, the field `name` contains `'name'` or `'icon'`.
 */
const PlannedChange = z.object({
  kind: z.enum(['space', 'page', 'part', 'record', 'file']),
  name: z.string(),
  action: z.enum(['add', 'change', 'delete']),
})

/** What an import does or would do. */
export const ImportResult = z.object({
  /** Identifies the changes and the current versions of the changed items. */
  plan: z.string(),
  changes: z.array(PlannedChange),
  /** Id of the import in the history; null for a preview, and if nothing changes. */
  operation: z.string().nullable(),
})

export type PlannedChange = z.output<typeof PlannedChange>
export type ImportResult = z.output<typeof ImportResult>
