import { expect, test, vi } from 'vitest'
import { errorCodeOf } from '../support/problems.ts'
import { type TestSpace, useTestService } from '../support/test-service.ts'

const service = useTestService()

/** The slugs of the pages that fail, with their kinds of error. */
const failing = async (
  { owner, subdomain }: TestSpace,
  saved?: { page_id: string } | { part_names: string[] } | { record_key: string },
) => {
  // On a busy machine, the first lists can be incomplete.
  const { pages } = await vi.waitFor(
    async () => {
      const found = await owner.delivery.failingPages({ subdomain, ...(saved && { saved }) })
      expect(found.is_complete).toBe(true)
      return found
    },
    { timeout: 30_000 },
  )
  return pages.map(({ slug, error }) => `${slug}: ${error.kind}`)
}

test('the list of failing pages has the pages that show an error, until they are fixed', async () => {
  const space = await service.createSpace()
  const { owner, subdomain } = space
  await owner.pages.create({ subdomain, slug: 'fine', html: '<p>{{ space.name }}</p>' })
  const broken = await owner.pages.create({ subdomain, slug: 'broken', html: '{% if %}' })
  const page = { subdomain, html: "{% render 'menu' %}" }
  await owner.pages.create({ ...page, slug: 'scripted', kind: 'scripted' })
  await owner.pages.create({ ...page, slug: 'static', kind: 'static' })
  expect(await failing(space)).toEqual(['broken: syntax', 'scripted: missing_part', 'static: missing_part'])
  await owner.parts.create({ subdomain, name: 'menu', html: '{{ 1 | where_exp: "x", "(" }}' })
  expect(await failing(space)).toEqual(['broken: syntax', 'scripted: render', 'static: render'])
  const { data: parts } = await owner.parts.list({ subdomain })
  await owner.parts.update({ subdomain, part_id: parts[0]!.id, html: '<nav>Menu</nav>' })
  await owner.pages.update({ subdomain, page_id: broken.id, html: '<p>Fixed</p>' })
  expect(await failing(space)).toEqual([])
})

test('the list of failing pages says where each error is', async () => {
  const { owner, subdomain } = await service.createSpace()
  const { id } = await owner.pages.create({ subdomain, slug: 'broken', html: '<p>\n{% if %}' })
  expect(await owner.delivery.failingPages({ subdomain })).toMatchObject({
    pages: [
      { id, slug: 'broken', error: { where: { body: 'page' }, line: 2, column: 6, excerpt: '{% if %}' } },
    ],
  })
})

test('after a save, only the pages that it can have broken are checked', async () => {
  const space = await service.createSpace()
  const { owner, subdomain } = space
  const broken = await owner.pages.create({ subdomain, slug: 'broken', html: '{% if %}' })
  const menu = await owner.pages.create({ subdomain, slug: 'menu', html: "{% layout 'frame' %}" })
  await owner.pages.create({ subdomain, slug: 'fine', html: "{% render 'other' %}" })
  await owner.parts.create({ subdomain, name: 'other', html: 'x' })
  await owner.parts.create({ subdomain, name: 'frame', html: "{% include 'nav' %}" })
  expect(await failing(space, { page_id: broken.id })).toEqual(['broken: syntax'])
  expect(await failing(space, { page_id: menu.id })).toEqual(['menu: missing_part'])
  expect(await failing(space, { part_names: ['other'] })).toEqual([])
  expect(await failing(space, { part_names: ['navigation', 'nav'] })).toEqual(['menu: missing_part'])
})

test('after a record was saved, the pages in which its key is written are checked, also in parts', async () => {
  const space = await service.createSpace()
  const { owner, subdomain } = space
  await owner.data.put({ subdomain, key: 'layout', value: 'none' })
  await owner.parts.create({ subdomain, name: 'frame', html: '{% include data.layout %}' })
  await owner.pages.create({ subdomain, slug: 'direct', html: '{% include data.layout %}' })
  await owner.pages.create({ subdomain, slug: 'in-part', html: "{% include 'frame' %}" })
  await owner.pages.create({ subdomain, slug: 'other', html: '{% if %}' })
  expect(await failing(space, { record_key: 'layout' })).toEqual([
    'direct: missing_part',
    'in-part: missing_part',
  ])
  expect(await failing(space, { record_key: 'unused' })).toEqual([])
})

test('only participants can list failing pages', async () => {
  const { subdomain } = await service.createSpace()
  const outsider = await service.signUp()
  expect(await errorCodeOf(outsider.delivery.failingPages({ subdomain }))).toBe('space_not_found')
})
