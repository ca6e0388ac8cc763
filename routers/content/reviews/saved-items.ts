import type { WrittenItem } from '../../../db/queries/history.ts'
import type { Addresses } from '../../api/addresses.ts'

/** A page, record or file that a write has deleted, or a page or file that it has renamed. */
export interface DeletedItem {
  what: 'page' | 'record' | 'file'
  /** The page's slug, the record's key or the file's name. */
  name: string
  /** The new slug or name of a page or file that was renamed. */
  newName?: string
  /** The former URL of a page or file; absent for a renamed file, which keeps its URL. */
  url?: string
}

/**
 * A page, part, record or file that a write has saved, or an item that it has deleted. `names` has the part's name, and
 * the old name if the part was renamed.
 */
export type SavedItem =
  | { kind: 'record'; key: string }
  | { kind: 'page'; id: string; slug: string }
  | { kind: 'part'; name: string; names: readonly string[] }
  | { kind: 'file'; id: string; name: string }
  | ({ kind: 'deleted' } & DeletedItem)

/** Returns what a change of a write has to be reviewed as: a renamed page is saved, and its old slug deleted. */
export const savedItems = (
  addresses: Addresses,
  subdomain: string,
  { kind, thing, before, after }: WrittenItem,
): SavedItem[] => {
  if (kind === 'record')
    return after === null
      ? [{ kind: 'deleted', what: 'record', name: thing }]
      : [{ kind: 'record', key: thing }]
  if (kind === 'part') {
    const names = [...new Set([after, before].filter(name => name !== null))]
    return [{ kind: 'part', name: names[0]!, names }]
  }
  if (kind === 'space') return []
  const renamed = after === null || before === after ? {} : { newName: after }
  const url = kind === 'page' ? addresses.page(subdomain, before ?? '') : addresses.file(thing)
  const deleted =
    before === null || before === after
      ? []
      : [
          {
            kind: 'deleted' as const,
            what: kind,
            name: before,
            ...renamed,
            ...(kind === 'page' || after === null ? { url } : {}),
          },
        ]
  if (after === null) return deleted
  if (kind === 'page') return [{ kind, id: thing, slug: after }, ...deleted]
  // Templates find a file by its name, so a file with new content needs no review.
  return before === after ? [] : [{ kind, id: thing, name: after }, ...deleted]
}
