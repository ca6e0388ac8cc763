import { setImmediate } from 'node:timers/promises'
import { listFilesNamed } from '../../../db/queries/files.ts'
import { type FoundText, findTexts } from '../../../db/queries/find.ts'
import type { SpaceUser } from '../../api/in-space.ts'
import { limits } from '../../api/rules.ts'
import type { DeletedItem } from './saved-items.ts'

/** Who wants to know the uses. Searches of an account take turns. */
interface Asker extends SpaceUser {
  /** The kinds of items that may be found. */
  readable: readonly string[]
}

/** The items that still refer to a deleted item, or to the old slug or name of a renamed one. */
export interface RemainingUses extends Pick<DeletedItem, 'what' | 'name' | 'newName'> {
  by: Pick<FoundText, 'kind' | 'id' | 'name'>[]
  /** The file that templates now find by the name of a deleted or renamed file. */
  successor?: string
}

/** For each kind of deleted item, the kinds of items whose text can refer to it. */
const USERS: Record<DeletedItem['what'], readonly FoundText['kind'][]> = {
  page: ['page', 'part', 'record'],
  record: ['page', 'part'],
  file: ['page', 'part', 'record'],
}

/**
 * Finds the pages, parts and records that refer to a deleted item by its address, key or name. If another file has the
 * name of a deleted file, the items that look it up by name come separately, because they find the other file.
 */
export const remainingUses = async (asker: Asker, item: DeletedItem): Promise<RemainingUses[]> => {
  const { what, name, newName } = item
  const described = { what, name, ...(newName === undefined ? {} : { newName }) }
  const [successor] = what === 'file' ? await listFilesNamed(asker.core.database, asker.space.id, name) : []
  const references = referencesTo(item)
  const groups = successor ? references.map(one => [one]) : [references]
  const uses: RemainingUses[] = []
  for (const group of groups) {
    const by = await usersOf(asker, item, group)
    const isByName = group.every(({ isName }) => isName)
    if (by.length > 0)
      uses.push({ ...described, by, ...(successor && isByName ? { successor: successor.id } : {}) })
  }
  return uses
}

const usersOf = async (
  { core, accountId, space, readable }: Asker,
  item: DeletedItem,
  references: readonly Reference[],
): Promise<RemainingUses['by']> => {
  const kinds = USERS[item.what].filter(kind => readable.includes(kind))
  const most = { limit: limits.searchMatches, bytes: limits.searchBytes }
  const by = new Map<string, RemainingUses['by'][number]>()
  for (const { needle, pattern } of references) {
    const { found } = await core.slowQueries.run(accountId, 1, () =>
      findTexts(core.database, space.id, needle, { kinds, ...most }),
    )
    for (const { kind, id, name, field, text } of found) {
      // Texts can be long, and other requests must not wait for all of them.
      await setImmediate()
      if ((field === 'html' || field === 'value') && pattern.test(text))
        by.set(`${kind} ${name}`, { kind, id, name })
    }
  }
  return [...by.values()]
}

/** How to find references to an item: a text to search for, and a pattern that matches only real references. */
interface Reference {
  needle: string
  pattern: RegExp
  /** Whether templates find the item by this text, so that they can find another item with the same name. */
  isName: boolean
}

/**
 * Returns how to find references to an item: strings to search for, each with a pattern that matches only real
 * references to the item.
 */
const referencesTo = ({ what, name, url }: DeletedItem): Reference[] => {
  const exactly = escaped(name)
  if (what === 'record')
    return [
      {
        needle: name,
        pattern: new RegExp(`\\bdata(\\.${exactly}(?![\\w-])|\\[\\s*["']${exactly}["'])`),
        isName: true,
      },
    ]
  const address = url?.slice(url.indexOf('//'))
  const byAddress =
    address === undefined
      ? []
      : [{ needle: address, pattern: new RegExp(`${escaped(address)}(?![\\w-])`), isName: false }]
  return what === 'page'
    ? [
        ...byAddress,
        { needle: `/${name}`, pattern: new RegExp(`["'=]/${exactly}(?![\\w/-])`), isName: false },
      ]
    : [...byAddress, { needle: name, pattern: new RegExp(`["']${exactly}["']`), isName: true }]
}

/** Escapes text for use in a regular expression. */
const escaped = (text: string) => text.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&')
