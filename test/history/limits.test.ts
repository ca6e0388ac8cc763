import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { creationLimits, rules } from '../../routers/api/rules.ts'
import { withoutHistory } from '../support/history.ts'
import { errorCodeOf } from '../support/problems.ts'
import { type TestSpace, useTestService } from '../support/test-service.ts'

const LIMITS = { ...creationLimits, pages: 2, parts: 6, files: 2 }
/** The limits of the running service. A test can lower them, as an operator could. */
const limits = { ...LIMITS }
const service = useTestService({ creationLimits: limits })

let space: TestSpace
beforeEach(async () => {
  space = await service.createSpace()
})
afterEach(() => {
  Object.assign(limits, LIMITS)
})

type Id = { id: string }

const create = async (path: string, body: object) => (await space.api.post<Id>(path, body)).body.id
const createPage = (slug: string) => create('/pages', { slug, html: 'x' })
const createPart = (name: string, html = 'x') => create('/parts', { name, html })
const createFile = (name: string) => create('/files', { name, content: 'x', encoding: 'text' })
const putRecord = (key: string, value: string) => space.api.put(`/data/${key}`, { value })

const range = (count: number) => Array.from({ length: count }, (_, n) => n)

/** Uses up the storage quota by changing the stored size of a file. The service computes usage from these sizes. */
const fillStorage = (id: string) =>
  withoutHistory(service.core.database, db =>
    db.updateTable('files').set({ size: rules.file.quota_bytes }).where('id', '=', id).execute(),
  )

const content = () =>
  Promise.all(
    ['/pages', '/parts', '/data', '/files'].map(
      async path => (await space.api.get<{ data: object[] }>(path)).body,
    ),
  )

const changes = async (filter: object = {}) =>
  (await space.owner.history.list({ subdomain: space.subdomain, ...filter })).changes

const restore = (change_id: string) =>
  space.owner.history.restore({ subdomain: space.subdomain, change_id, side: 'before' })

const undoAll = (actor: string) =>
  space.owner.history.undo({ subdomain: space.subdomain, actor, since: new Date(0).toISOString() })

const undoOperation = (operation: string) =>
  space.owner.history.undo({ subdomain: space.subdomain, operation })

interface Case {
  title: string
  code: string
  /** Creates an item and returns its path. */
  item: () => Promise<string>
  /** Fills the space after the item was deleted, so that restoring it would exceed the limit. */
  fill: () => Promise<unknown>
}

const longPart = 'x'.repeat(rules.part.html_max_length)
const longValue = 'x'.repeat(rules.data.value_max_bytes - 2)

const QUOTAS: Case[] = [
  {
    title: 'the number of pages',
    code: 'limit_reached',
    item: async () => `/pages/${await createPage('deleted')}`,
    fill: () => Promise.all(range(LIMITS.pages).map(n => createPage(`page-${n}`))),
  },
  {
    title: 'the number of parts',
    code: 'limit_reached',
    item: async () => `/parts/${await createPart('deleted')}`,
    fill: () => Promise.all(range(LIMITS.parts).map(n => createPart(`part-${n}`))),
  },
  {
    title: 'the length of all parts',
    code: 'parts_quota_exceeded',
    item: async () => `/parts/${await createPart('deleted', longPart)}`,
    fill: () =>
      Promise.all(
        range(rules.part.total_max_length / rules.part.html_max_length).map(n =>
          createPart(`part-${n}`, longPart),
        ),
      ),
  },
  {
    title: 'the number of files',
    code: 'limit_reached',
    item: async () => `/files/${await createFile('deleted.txt')}`,
    fill: () => Promise.all(range(LIMITS.files).map(n => createFile(`${n}.txt`))),
  },
  {
    title: 'the bytes of all files',
    code: 'storage_quota_exceeded',
    item: async () => `/files/${await createFile('deleted.txt')}`,
    fill: async () => fillStorage(await createFile('large.txt')),
  },
  {
    title: 'the number of records',
    code: 'data_quota_exceeded',
    item: async () => {
      await putRecord('deleted', 'x')
      return '/data/deleted'
    },
    fill: () => Promise.all(range(rules.data.max_records).map(n => putRecord(`record-${n}`, 'x'))),
  },
  {
    title: 'the bytes of all records',
    code: 'data_quota_exceeded',
    item: async () => {
      await putRecord('deleted', longValue)
      return '/data/deleted'
    },
    fill: () =>
      Promise.all(
        range(rules.data.total_max_bytes / rules.data.value_max_bytes).map(n =>
          putRecord(`record-${n}`, longValue),
        ),
      ),
  },
]

describe('a restore or undo that would exceed a limit is refused and changes nothing', () => {
  test.each(QUOTAS)('$title', async ({ code, item, fill }) => {
    const path = await item()
    const deleting = await space.apiWith('pages', 'data', 'files_write')
    await deleting.delete(path)
    const [deletion] = await changes()
    await fill()
    const before = { content: await content(), changes: await changes() }
    expect(await errorCodeOf(restore(deletion!.id))).toBe(code)
    expect(await errorCodeOf(undoAll(deletion!.actor.id))).toBe(code)
    expect({ content: await content(), changes: await changes() }).toEqual(before)
  })
})

describe('after an operator has lowered the limits', () => {
  const items = [
    ['page', () => createPage('home'), () => createPage('other'), { html: 'new' }],
    ['part', () => createPart('nav'), () => createPart('other'), { html: 'new' }],
    ['file', () => createFile('a.txt'), () => createFile('b.txt'), { content: 'new', encoding: 'text' }],
  ] as const

  test.each(items)(
    'an earlier version of an existing %s can be restored, but a deleted item cannot',
    async (kind, createItem, createOther, change) => {
      const path = `/${kind}s/${await createItem()}`
      const other = `/${kind}s/${await createOther()}`
      const original = await space.api.get<object>(path)
      const changing = await space.apiWith('pages', 'files_write')
      const isOriginal = async () =>
        expect((await space.api.get(path)).body).toEqual({
          ...original.body,
          updated_at: expect.any(String) as string,
        })
      await changing.patch(path, change)
      const [edit] = await changes({ kind })
      Object.assign(limits, { pages: 1, parts: 1, files: 1 })
      await restore(edit!.id)
      await isOriginal()
      await space.owner.history.restore({ subdomain: space.subdomain, change_id: edit!.id, side: 'after' })
      const [again] = await changes({ kind })
      await undoOperation(again!.operation!)
      await isOriginal()
      await changing.delete(other)
      const [deletion] = await changes({ kind })
      expect(await errorCodeOf(restore(deletion!.id))).toBe('limit_reached')
    },
  )

  test('an undo works above the limits if it deletes as many items as it restores', async () => {
    await Promise.all([createPage('kept'), createPart('kept'), createFile('kept.txt')])
    const paths = [
      `/pages/${await createPage('gone')}`,
      `/parts/${await createPart('gone')}`,
      `/files/${await createFile('gone.txt')}`,
    ]
    const replacing = await space.apiWith('pages', 'files_write')
    for (const path of paths) await replacing.delete(path)
    await replacing.post('/pages', { slug: 'new', html: 'x' })
    await replacing.post('/parts', { name: 'new', html: 'x' })
    await replacing.post('/files', { name: 'new.txt', content: 'x', encoding: 'text' })
    const [newest] = await changes()
    Object.assign(limits, { pages: 1, parts: 1, files: 1 })
    await undoAll(newest!.actor.id)
    const names = (await content()).flatMap(({ data }) => data as { slug?: string; name?: string }[])
    expect(new Set(names.map(({ slug, name }) => slug ?? name))).toEqual(
      new Set(['kept', 'gone', 'kept.txt', 'gone.txt']),
    )
  })

  test('write_many replaces pages and parts, but creates none', async () => {
    for (const name of ['a', 'b']) {
      await createPage(name)
      await createPart(name)
    }
    Object.assign(limits, { pages: 1, parts: 1 })
    const write = (name: string) =>
      space.owner.edits.many({
        subdomain: space.subdomain,
        pages: [{ slug: name, html: 'new' }],
        parts: [{ name, html: 'new' }],
      })
    expect(await write('a')).toMatchObject({ pages: [{ slug: 'a' }], parts: [{ name: 'a' }] })
    expect(await errorCodeOf(write('c'))).toBe('limit_reached')
  })
})
