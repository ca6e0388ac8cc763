import { LRUCache } from 'lru-cache'
import { ID_PATTERN } from '../../db/id.ts'
import { sqlOf } from '../../db/orm.ts'
import { findOrigin, type OriginKind } from '../../db/queries/origins.ts'
import type { Core } from '../core/context.ts'

/** Maximum number of origins whose spaces are kept in memory. */
const KNOWN_ORIGINS = 16_384

/**
 * Returns a function that finds the space of a page or file by the id in its origin. It returns undefined for an
 * unknown id.
 *
 * Where content is distributed, a query reaches a single server only if it names the space, so the space is looked up
 * first. An id never moves to another space, so each process looks it up once, and later visits need no extra query.
 * The page or file may have been deleted in the meantime.
 */
export const originFinder = ({ orm }: Core, kind: OriginKind) => {
  const known = new LRUCache<string, string>({ max: KNOWN_ORIGINS })
  return async (id: string): Promise<string | undefined> => {
    if (!ID_PATTERN.test(id)) return undefined
    const before = known.get(id)
    if (before !== undefined) return before
    const found = await findOrigin(sqlOf(orm), kind, id)
    if (found) known.set(id, found.space_id)
    return found?.space_id
  }
}
