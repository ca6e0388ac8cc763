import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { columnsOf, type ItemKind, NOT_RECORDED } from '../../db/queries/item-rows.ts'
import { HISTORY_FAULTS } from '../support/history.ts'
import { testPng } from '../support/png.ts'
import { storedBytes } from '../support/stored-bytes.ts'
import { type TestSpace, useTestService } from '../support/test-service.ts'

const service = useTestService()

let space: TestSpace
beforeAll(async () => {
  space = await service.createSpace()
})

const db = () => service.core.database
const spaceId = async ({ subdomain } = space) =>
  (await db().selectFrom('spaces').where('subdomain', '=', subdomain).select('id').executeTakeFirstOrThrow())
    .id

/** Returns the last change of the space. */
const last = async () =>
  db()
    .selectFrom('changes')
    .innerJoin('writes', join =>
      join
        .onRef('writes.space_id', '=', 'changes.space_id')
        .onRef('writes.revision', '=', 'changes.revision'),
    )
    .where('changes.space_id', '=', await spaceId())
    .selectAll()
    .orderBy('changes.revision', 'desc')
    .limit(1)
    .executeTakeFirst()

/** Returns the kind and action of the last change, and the name of the item before and after it. */
const story = async () => {
  const { owner, subdomain } = space
  const [change] = (await owner.history.list({ subdomain })).changes
  const { kind, action, name_before, name } = change!
  return [kind, action, name_before, name]
}

/** Runs a write and returns how many changes it added. */
const added = async (write: () => Promise<unknown>) => {
  const count = async () =>
    Number((await sql<{ n: string }>`select count(*) as n from changes`.execute(db())).rows[0]!.n)
  const before = await count()
  await write()
  return (await count()) - before
}

type Id = { id: string }

describe('the history', () => {
  it('records every column of an item but its id, body and time of change', async () => {
    const { api, subdomain } = await service.createSpace()
    await api.post('/pages', { slug: 'a', html: '<p>a</p>' })
    await api.post('/parts', { name: 'a', html: '<p>a</p>' })
    await api.put('/data/a', { value: 1 })
    await api.post('/files', { name: 'a.txt', content: 'a', encoding: 'text' })
    const { rows } = await sql<{ kind: ItemKind; columns: string[] }>`
      select kind, array(select jsonb_object_keys(after)) as columns
      from changes join spaces on spaces.id = space_id and subdomain = ${subdomain}`.execute(db())
    for (const { kind, columns } of rows)
      expect([kind, columns.sort()]).toEqual([
        kind,
        columnsOf(kind)
          .filter(name => !NOT_RECORDED.includes(name))
          .sort(),
      ])
    expect(rows.map(({ kind }) => kind).sort()).toEqual(['file', 'page', 'part', 'record'])
  })

  it('records each write to a page', async () => {
    const { id } = (await space.api.post<Id>('/pages', { slug: 'a', html: '<p>1</p>' })).body
    expect(await story()).toEqual(['page', 'create', null, 'a'])
    await space.api.patch(`/pages/${id}`, { html: '<p>2</p>' })
    expect(await story()).toEqual(['page', 'change', 'a', 'a'])
    await space.api.patch(`/pages/${id}`, { slug: 'b' })
    expect(await story()).toEqual(['page', 'rename', 'a', 'b'])
    await space.api.patch(`/pages/${id}`, { kind: 'static' })
    expect(await story()).toEqual(['page', 'change', 'b', 'b'])
    await space.api.delete(`/pages/${id}`)
    expect(await story()).toEqual(['page', 'delete', 'b', null])
  })

  it('records each write to a part', async () => {
    const { id } = (await space.api.post<Id>('/parts', { name: 'a', html: '1' })).body
    expect(await story()).toEqual(['part', 'create', null, 'a'])
    await space.api.patch(`/parts/${id}`, { name: 'b', html: '2' })
    expect(await story()).toEqual(['part', 'change', 'a', 'b'])
    await space.api.patch(`/parts/${id}`, { name: 'c' })
    expect(await story()).toEqual(['part', 'rename', 'b', 'c'])
    await space.api.delete(`/parts/${id}`)
    expect(await story()).toEqual(['part', 'delete', 'c', null])
  })

  it('records each write to a record', async () => {
    for (const action of ['create', 'change', 'change']) {
      await space.api.put('/data/a', { value: { n: 1 }, description: 'x' })
      expect(await story()).toEqual(['record', action, action === 'create' ? null : 'a', 'a'])
    }
    await space.api.delete('/data/a')
    expect(await story()).toEqual(['record', 'delete', 'a', null])
  })

  it('records each write to a file, and stores identical bytes once', async () => {
    const file = { name: 'a.txt', content: 'same', encoding: 'text' }
    const [one, two] = [await space.api.post<Id>('/files', file), await space.api.post<Id>('/files', file)]
    expect(await story()).toEqual(['file', 'create', null, 'a.txt'])
    await space.api.patch(`/files/${one.body.id}`, { name: 'b.txt' })
    expect(await story()).toEqual(['file', 'rename', 'a.txt', 'b.txt'])
    await space.api.patch(`/files/${one.body.id}`, { content: 'other', encoding: 'text' })
    expect(await story()).toEqual(['file', 'change', 'b.txt', 'b.txt'])
    await space.api.delete(`/files/${one.body.id}`)
    expect(await story()).toEqual(['file', 'delete', 'b.txt', null])
    expect((await storedBytes(db(), two.body.id)).toString()).toBe('same')
    const blobs = await db()
      .selectFrom('blobs')
      .where('space_id', '=', await spaceId())
      .select('size')
      .orderBy('size')
      .execute()
    expect(blobs.map(({ size }) => size)).toEqual([4, 5])
  })

  it('records each change of a setting of the space', async () => {
    const { owner, subdomain } = space
    await owner.spaces.rename({ subdomain, name: 'New' })
    expect(await story()).toEqual(['space', 'rename', `The ${subdomain}`, 'New'])
    for (const action of ['create', 'change'] as const) {
      const background = action === 'create' ? 'red' : 'blue'
      const png = await testPng({ width: 256, height: 256, background })
      await owner.spaces.setIcon({ subdomain, png })
      expect((await story()).slice(0, 2)).toEqual(['space', action])
    }
    await owner.spaces.removeIcon({ subdomain })
    expect((await story()).slice(0, 2)).toEqual(['space', 'delete'])
  })

  it('records which key or session made a change', async () => {
    await space.api.put('/data/who', { value: 1 })
    const byKey = await last()
    await space.owner.data.put({ subdomain: space.subdomain, key: 'who', value: 2 })
    const bySession = await last()
    expect(byKey).toMatchObject({ actor_kind: 'space_key', actor_label: 'test', account: bySession!.account })
    expect(bySession).toMatchObject({ actor_kind: 'session', actor: bySession!.account, actor_label: null })
  })

  it.each([
    ['Claude-Code/2.1 (cli)', {}, 'Claude-Code'],
    [
      'Node/24',
      { _meta: { 'io.modelcontextprotocol/clientInfo': { name: 'My\u0000Agent', version: '1' } } },
      'MyAgent',
    ],
  ])('records the name of the agent %s', async (agent, meta, expected) => {
    const response = await fetch(`${service.root}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${await space.key('data')}`,
        'user-agent': agent,
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'put_data', arguments: { key: 'agent', value: agent }, ...meta },
      }),
    })
    expect(response.status).toBe(200)
    expect(await last()).toMatchObject({ agent: expected, actor_kind: 'space_key' })
  })

  it('records no write that is refused or changes nothing', async () => {
    const { id } = (await space.api.post<Id>('/pages', { slug: 'kept', html: 'x' })).body
    const { owner, subdomain } = space
    expect(
      await added(async () => {
        await space.api.post('/pages', { slug: 'kept', html: 'y' })
        await space.api.patch(`/pages/${id}`, { slug: 'kept', html: 'x' })
        await space.api.delete('/pages/aaaaaaaaaaaaaaaa')
        await space.api.put('/data/none', { value: 1, version: 3 })
        await space.api.delete('/data/none')
        await owner.spaces.rename({ subdomain, name: 'New' })
        await owner.spaces.removeIcon({ subdomain })
      }),
    ).toBe(0)
  })
})

describe('a body', () => {
  it('is stored once, however often the item changes while it has that body', async () => {
    const other = await service.createSpace()
    const { id } = (await other.api.post<Id>('/pages', { slug: 'a', html: 'one' })).body
    for (const change of [{ slug: 'b' }, { kind: 'static' }, { html: 'two' }, { slug: 'c' }, { slug: 'd' }])
      await other.api.patch(`/pages/${id}`, change)
    const rows = await db()
      .selectFrom('changes')
      .where('space_id', '=', await spaceId(other))
      .select(['body', 'size'])
      .orderBy('revision')
      .execute()
    expect(rows.map(({ body }) => body)).toEqual([null, null, null, 'one', null, null])
    expect(rows.map(({ size }) => size)).toEqual([0, 0, 0, 3, 0, 0])
  })
})

it('the history agrees with the stored content after all writes of these tests', async () => {
  expect((await sql.raw(HISTORY_FAULTS).execute(db())).rows).toEqual([])
})

describe('content', () => {
  it('cannot change without a write that says who changed it', async () => {
    const own = await service.createSpace()
    await own.api.put('/data/a', { value: 1 })
    const change = sql`update data_records set value = '2' where key = 'a' and space_id = ${await spaceId(own)}`
    await expect(change.execute(db())).rejects.toThrow('changed outside of a write')
  })

  it('that several people write at once is recorded under the name of each', async () => {
    const own = await service.createSpace()
    const people = [own.owner, await own.join(), await own.join()]
    await Promise.all(
      people.flatMap(person =>
        [1, 2, 3].map(value =>
          person.data.put({ subdomain: own.subdomain, key: `${person.handle}-${value}`, value }),
        ),
      ),
    )
    const { changes } = await own.owner.history.list({ subdomain: own.subdomain })
    expect(changes).toHaveLength(9)
    for (const { thing, actor } of changes) expect(thing.startsWith(`${actor.handle}-`)).toBe(true)
  })
})
