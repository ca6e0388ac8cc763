import { LRUCache } from 'lru-cache'
import { ID_PATTERN } from '../../db/id.ts'
import type { Delivery } from '../api/context.ts'
import type { Sites } from '../api/sites.ts'

/** Maximum number of origins whose spaces are kept in memory. */
const KNOWN_ORIGINS = 16_384

/** The space of a page or file, and its first participant; null while it has none. */
interface SpaceOfOrigin {
  space_id: string
  account_id: string | null
}

/**
 * Returns a function that finds the space of a page or file. The function's parameter is the id of the page or file.
 * The origin contains this id. For an unknown id, the function returns undefined.
 *
 * If content is distributed, a query goes to a single server only if the query names the space. So the space must be
 * known before the page or file is read. The space of an id never changes, so the process remembers the space.
 * Later visits need no extra query. The page or file may have been deleted in the meantime.
 */
export const originFinder = ({ sites }: Delivery, kind: Parameters<Sites['findOrigin']>[0]) => {
  const known = new LRUCache<string, SpaceOfOrigin>({ max: KNOWN_ORIGINS })
  return async (id: string): Promise<SpaceOfOrigin | undefined> => {
    if (!ID_PATTERN.test(id)) return undefined
    const before = known.get(id)
    if (before !== undefined) return before
    const found = await sites.findOrigin(kind, id)
    if (found) known.set(id, found)
    return found
  }
}

/** Returns the PNG of the icon with this id, or null when it does not exist or was replaced. */
export const openIcon = async ({ sites }: Delivery, id: string): Promise<Buffer | null> => {
  if (!ID_PATTERN.test(id)) return null
  const icon = await sites.findIcon(id)
  return icon ? Buffer.from(icon.png) : null
}
