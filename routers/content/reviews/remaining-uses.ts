import { setImmediate } from 'node:timers/promises'
import type { Sql } from '../../../db/orm.ts'
import { type FoundText, findTexts } from '../../../db/queries/search.ts'
import type { DeletedItem } from '../../core/context.ts'
import { limits } from '../../core/rules.ts'

/** The items that still refer to a deleted item, or to the old slug of a page. */
export interface RemainingUses extends Pick<DeletedItem, 'what' | 'name' | 'newName'> {
  by: Pick<FoundText, 'kind' | 'id' | 'name'>[]
}

/** For each kind of deleted item, the kinds of items whose text can refer to it. */
const USERS: Record<DeletedItem['what'], readonly FoundText['kind'][]> = {
  page: ['page', 'part', 'record'],
  record: ['page', 'part'],
  file: ['page', 'part', 'record'],
}

/** Finds the pages, parts and records that refer to a deleted item by its address, key or name. */
export const remainingUses = async (db: Sql, spaceId: string, item: DeletedItem): Promise<RemainingUses> => {
  const kinds = USERS[item.what].filter(kind => item.readable.includes(kind))
  const most = { limit: limits.searchMatches, bytes: limits.searchBytes }
  const by = new Map<string, RemainingUses['by'][number]>()
  for (const { needle, pattern } of referencesTo(item)) {
    const { found } = await findTexts(db, spaceId, needle, kinds, most)
    for (const { kind, id, name, field, text } of found) {
      // Texts can be long, and other requests must not wait for all of them.
      await setImmediate()
      if ((field === 'html' || field === 'value') && pattern.test(text))
        by.set(`${kind} ${name}`, { kind, id, name })
    }
  }
  const { what, name, newName } = item
  return { what, name, ...(newName === undefined ? {} : { newName }), by: [...by.values()] }
}

/**
 * Returns how to find references to an item: strings to search for, each with a pattern that matches only real
 * references to the item.
 */
const referencesTo = ({ what, name, url }: DeletedItem): { needle: string; pattern: RegExp }[] => {
  const exactly = escaped(name)
  if (what === 'record')
    return [
      { needle: name, pattern: new RegExp(`\\bdata(\\.${exactly}(?![\\w-])|\\[\\s*["']${exactly}["'])`) },
    ]
  const address = url!.slice(url!.indexOf('//'))
  const byAddress = { needle: address, pattern: new RegExp(`${escaped(address)}(?![\\w-])`) }
  return what === 'page'
    ? [byAddress, { needle: `/${name}`, pattern: new RegExp(`["'=]/${exactly}(?![\\w/-])`) }]
    : [byAddress, { needle: name, pattern: new RegExp(`["']${exactly}["']`) }]
}

/** Escapes text for use in a regular expression. */
const escaped = (text: string) => text.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&')
