import { array, assert, constantFrom, property } from 'fast-check'
import { expect, test } from 'vitest'
import { countLines } from '../../routers/content/history/count-lines.ts'
import { type TestSpace, useTestService } from '../support/test-service.ts'

const service = useTestService()

/** What each change of a space has added and removed, such as "+1 −2", newest first; null if it is left out. */
const counts = async ({ owner, subdomain }: TestSpace) => {
  const { changes } = await owner.history.list({ subdomain })
  const lines = await owner.history.lines({ subdomain, changes: changes.map(({ id }) => id) })
  const byId = new Map(lines.map(({ id, added, removed }) => [id, `+${added} −${removed}`]))
  return changes.map(({ id }) => byId.get(id) ?? null)
}

test('a change to a page or part has the numbers of lines that it added and removed', async () => {
  const space = await service.createSpace()
  const { owner, subdomain } = space
  const { id: page_id } = await owner.pages.create({ subdomain, slug: 'index', html: 'one\ntwo\nthree' })
  await owner.pages.update({ subdomain, page_id, html: 'one\n2\nthree\nfour' })
  const { id: part_id } = await owner.parts.create({ subdomain, name: 'menu', html: 'x' })
  await owner.parts.update({ subdomain, part_id, html: 'y' })
  await owner.pages.update({ subdomain, page_id, slug: 'home' })
  await owner.pages.delete({ subdomain, page_id })
  expect(await counts(space)).toEqual([null, '+0 −0', '+1 −1', null, '+2 −1', null])
})

test('the lines of a record are those of its formatted value', async () => {
  const space = await service.createSpace()
  const { owner, subdomain } = space
  await owner.data.put({ subdomain, key: 'shop', value: { name: 'Harbour', open: [1, 2] } })
  await owner.data.put({ subdomain, key: 'shop', value: { name: 'Harbour', open: [1, 2, 3] } })
  expect(await counts(space)).toEqual(['+2 −1', null])
})

test('changes that the space does not have, and changes to files and settings, are left out', async () => {
  const other = await service.createSpace()
  const { id: page_id } = await other.owner.pages.create({ subdomain: other.subdomain, slug: 'a', html: 'a' })
  await other.owner.pages.update({ subdomain: other.subdomain, page_id, html: 'b' })
  const { changes } = await other.owner.history.list({ subdomain: other.subdomain })
  const space = await service.createSpace()
  const { owner, subdomain } = space
  const file = { subdomain, name: 'a.txt', encoding: 'text', content: 'a' } as const
  const { id: file_id } = await owner.files.create(file)
  await owner.files.update({ ...file, file_id, content: 'b' })
  await owner.spaces.rename({ subdomain, name: 'Other' })
  expect(await counts(space)).toEqual([null, null, null])
  expect(await owner.history.lines({ subdomain, changes: changes.map(({ id }) => id) })).toEqual([])
})

test('the numbers of lines are those by which the texts differ, whatever their order', () => {
  const text = array(constantFrom('a', 'b', 'c', '', ' a'), { minLength: 1 })
  assert(
    property(text, text, (before, after) => {
      const { added, removed } = countLines(`${before.join('\n')}\n`, `${after.join('\n')}\n`)
      const kinds = new Set([...before, ...after])
      const difference = (kind: string) =>
        after.filter(line => line === kind).length - before.filter(line => line === kind).length
      const differences = [...kinds].map(difference)
      const sum = (sign: number) => differences.reduce((total, by) => total + Math.max(0, sign * by), 0)
      expect({ added, removed }).toEqual({ added: sum(1), removed: sum(-1) })
    }),
  )
})
