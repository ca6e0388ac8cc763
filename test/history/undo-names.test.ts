import { describe, expect, it } from 'vitest'
import { useQuietService } from '../support/quiet-service.ts'

const quiet = useQuietService()

const KINDS = [
  { path: 'pages', field: 'slug' },
  { path: 'parts', field: 'name' },
] as const

type Item = { id: string; slug?: string; name?: string }

/** Creates three items named a, b and c, and returns functions that rename them and undo all changes of a key. */
const createItems = async ({ path, field }: (typeof KINDS)[number]) => {
  const { subdomain, owner, api, apiWith } = await quiet.service.createSpace()
  const key = await apiWith('pages')
  const ids: string[] = []
  for (const name of ['a', 'b', 'c'])
    ids.push((await api.post<Item>(`/${path}`, { [field]: name, html: name })).body.id)
  return {
    /** Renames items one after another. Uses a second key of the space, not the key that created the items. */
    rename: async (...renames: [item: number, name: string][]) => {
      for (const [item, name] of renames)
        expect((await key.patch(`/${path}/${ids[item]!}`, { [field]: name })).status).toBe(200)
    },
    renameByOther: (item: number, name: string) => api.patch(`/${path}/${ids[item]!}`, { [field]: name }),
    remove: (item: number) => key.delete(`/${path}/${ids[item]!}`),
    /** Undoes all changes by the key that `rename` and `remove` use. Returns the reason for each skipped item. */
    undo: async () => {
      const actors = await owner.history.actors({ subdomain })
      const { changes } = await owner.history.list({ subdomain })
      const creator = changes.at(-1)!.actor.id
      const { id } = actors.find(actor => actor.id !== creator)!
      const since = '2000-01-01T00:00:00.000Z'
      const { skipped } = await owner.history.undo({ subdomain, actor: id, since })
      return Object.fromEntries(skipped.map(({ thing, reason }) => [ids.indexOf(thing), reason]))
    },
    /** Returns the current names; undefined for deleted items. */
    names: async () => {
      const { data } = (await api.get<{ data: Item[] }>(`/${path}`)).body
      return ids.map(id => data.find(item => item.id === id)?.[field])
    },
  }
}

describe.each(KINDS)('an undo of all changes that one key made to $path', kind => {
  it.each<[string, [number, string][]]>([
    [
      'were each passed to the previous item',
      [
        [2, 'd'],
        [1, 'c'],
        [0, 'b'],
      ],
    ],
    [
      'were each passed to the next item',
      [
        [0, '0'],
        [1, 'a'],
        [2, 'b'],
      ],
    ],
    [
      'were swapped',
      [
        [0, 't'],
        [1, 'a'],
        [0, 'b'],
      ],
    ],
    [
      'were rotated',
      [
        [0, 't'],
        [1, 'a'],
        [2, 'b'],
        [0, 'c'],
      ],
    ],
    [
      'were rotated the other way',
      [
        [0, 't'],
        [2, 'a'],
        [1, 'c'],
        [0, 'b'],
      ],
    ],
  ])('restores names that %s', async (_how, renames) => {
    const items = await createItems(kind)
    await items.rename(...renames)
    expect(await items.undo()).toEqual({})
    expect(await items.names()).toEqual(['a', 'b', 'c'])
  })

  it('restores a deleted item and all names if other items have taken the names that became free', async () => {
    const items = await createItems(kind)
    await items.remove(2)
    await items.rename([0, 'c'], [1, 'a'])
    expect(await items.undo()).toEqual({})
    expect(await items.names()).toEqual(['a', 'b', 'c'])
  })

  it('restores no name if another key has also renamed one of the items', async () => {
    const items = await createItems(kind)
    await items.rename([0, 't'], [1, 'a'], [2, 'b'], [0, 'c'])
    await items.renameByOther(1, 'x')
    await items.rename([1, 'a'])
    expect(await items.undo()).toEqual({ 0: 'name_taken', 1: 'changed_since', 2: 'name_taken' })
    expect(await items.names()).toEqual(['c', 'a', 'b'])
  })

  it('does not restore a deleted item if the undo gives the name of this item to another item', async () => {
    const items = await createItems(kind)
    await items.renameByOther(0, 'z')
    await items.renameByOther(2, 'a')
    await items.remove(2)
    await items.renameByOther(0, 'a')
    await items.rename([0, 't'], [1, 'a'], [0, 'b'])
    expect(await items.undo()).toEqual({ 2: 'name_taken' })
    expect(await items.names()).toEqual(['a', 'b', undefined])
  })
})
