import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { sqlOf } from '../../db/orm.ts'
import { HISTORY_FAULTS } from '../support/history.ts'
import { testPng } from '../support/png.ts'
import { errorCodeOf } from '../support/problems.ts'
import { requestHost } from '../support/request-host.ts'
import type { RestClient } from '../support/rest-client.ts'
import { type TestSpace, useTestService } from '../support/test-service.ts'

const service = useTestService()

let space: TestSpace
beforeAll(async () => {
  space = await service.createSpace()
})

type Id = { id: string }

const history = () => space.owner.history
type Change = Awaited<ReturnType<ReturnType<typeof history>['list']>>['changes'][number]
const list = async (filter: object = {}) =>
  (await history().list({ subdomain: space.subdomain, ...filter })).changes
const faults = async () => (await sql.raw(HISTORY_FAULTS).execute(sqlOf(service.core.orm))).rows
const restore = (change: { id: string }, side: 'before' | 'after', name?: string) =>
  history().restore({ subdomain: space.subdomain, change_id: change.id, side, ...(name ? { name } : {}) })

describe('restoring an earlier version', () => {
  it('brings back a deleted page with its id, body and address', async () => {
    const page = (await space.api.post<Id>('/pages', { slug: 'gone', html: '<p>kept</p>' })).body
    const { body: before } = await space.api.get(`/pages/${page.id}`)
    await space.api.delete(`/pages/${page.id}`)
    const [deletion] = await list({ thing: page.id })
    await restore(deletion!, 'before')
    const { body: after } = await space.api.get<{ updated_at: string }>(`/pages/${page.id}`)
    expect(after).toEqual({ ...(before as object), updated_at: after.updated_at })
  })

  it('brings back a deleted part, record and file', async () => {
    const part = (await space.api.post<Id>('/parts', { name: 'nav', html: 'nav' })).body
    const file = (await space.api.post<Id>('/files', { name: 'a.txt', content: 'x', encoding: 'text' })).body
    await space.api.put('/data/kept', { value: { a: [1] }, description: 'd' })
    await space.api.put('/data/kept', { value: { a: [2] } })
    const paths = [`/parts/${part.id}`, `/files/${file.id}`, '/data/kept']
    const read = async () => Promise.all(paths.map(async path => (await space.api.get<object>(path)).body))
    const before = await read()
    for (const path of paths) await space.api.delete(path)
    for (const deletion of (await list()).slice(0, 3)) await restore(deletion, 'before')
    const after = await read()
    for (const [index, body] of after.entries()) expect(body).toEqual({ ...before[index], ...changing(body) })
    // The version is higher than any earlier one of this record.
    expect(after[2]).toMatchObject({ version: 3 })
  })

  it('puts files that were created together back in their order', async () => {
    const { subdomain, owner, api } = await service.createSpace()
    for (const name of ['a', 'b', 'c', 'd', 'e'])
      await api.post('/files', { name: `${name}.txt`, content: name, encoding: 'text' })
    const db = sqlOf(service.core.orm)
    const { id: space_id } = await db
      .selectFrom('spaces')
      .where('subdomain', '=', subdomain)
      .select('id')
      .executeTakeFirstOrThrow()
    // Files of an import are created in the same millisecond.
    await db.updateTable('files').set({ created_at: new Date() }).where('space_id', '=', space_id).execute()
    await sql`update changes set after = after || jsonb_build_object('created_at', files.created_at) from files
      where changes.space_id = ${space_id} and thing = files.id`.execute(db)
    const files = async () => (await api.get<{ data: Id[] }>('/files')).body.data.map(({ id }) => id)
    const before = await files()
    const changes = async () => (await owner.history.list({ subdomain })).changes
    const [, creation] = await changes()
    const since = new Date().toISOString()
    for (const id of before.slice(1, 4)) await api.delete(`/files/${id}`)
    const [deletion] = await changes()
    await owner.history.restore({ subdomain, change_id: deletion!.id, side: 'before' })
    await owner.history.restore({ subdomain, change_id: creation!.id, side: 'after' })
    await owner.history.undo({ subdomain, actor: deletion!.actor.id, since })
    expect(await files()).toEqual(before)
  })

  it('leaves an item alone that someone else has restored and changed since, if it may only be deleted', async () => {
    const { id } = (await space.api.post<Id>('/pages', { slug: 'restored', html: 'first' })).body
    await space.api.delete(`/pages/${id}`)
    const [deletion] = await list({ thing: id })
    await restore(deletion!, 'before')
    await space.api.patch(`/pages/${id}`, { html: 'second' })
    const { operation } = await history().restore({
      subdomain: space.subdomain,
      change_id: deletion!.id,
      side: 'before',
      only_if_deleted: true,
    })
    expect(operation).toBeNull()
    expect((await space.api.get(`/pages/${id}`)).body).toMatchObject({ html: 'second' })
  })

  it('needs a new name if the old one is taken', async () => {
    const one = (await space.api.post<Id>('/pages', { slug: 'taken', html: '1' })).body
    await space.api.delete(`/pages/${one.id}`)
    await space.api.post('/pages', { slug: 'taken', html: '2' })
    const [deletion] = await list({ thing: one.id })
    expect(await errorCodeOf(restore(deletion!, 'before'))).toBe('slug_taken')
    expect(await errorCodeOf(restore(deletion!, 'before', 'not a slug'))).toBe('validation_failed')
    await restore(deletion!, 'before', 'free')
    expect((await space.api.get(`/pages/${one.id}`)).body).toMatchObject({ slug: 'free', html: '1' })
  })

  it('changes nothing if it would exceed a quota or create a cycle of includes', async () => {
    const part = (await space.api.post<Id>('/parts', { name: 'loop', html: "{% render 'other-loop' %}" }))
      .body
    await space.api.patch(`/parts/${part.id}`, { html: 'straight' })
    await space.api.post('/parts', { name: 'other-loop', html: "{% render 'loop' %}" })
    const [change] = await list({ thing: part.id })
    expect(await errorCodeOf(restore(change!, 'before'))).toBe('validation_failed')
    expect((await space.api.get(`/parts/${part.id}`)).body).toMatchObject({ html: 'straight' })
    const value = 'x'.repeat(65_000)
    await space.api.put('/data/large', { value })
    await space.api.delete('/data/large')
    const [deletion] = await list({ kind: 'record', thing: 'large' })
    for (let n = 0; n < 16; n++) await space.api.put(`/data/filler-${n}`, { value })
    expect(await errorCodeOf(restore(deletion!, 'before'))).toBe('data_quota_exceeded')
    expect((await space.api.get('/data/large')).status).toBe(404)
    for (let n = 0; n < 16; n++) await space.api.delete(`/data/filler-${n}`)
  })

  it('changes nothing if that version is the current one', async () => {
    const [change] = await list({ kind: 'page' })
    expect((await restore(change!, 'after')).operation).toBeNull()
  })

  it.each([
    ['1-999', 'change_not_found'],
    ['999999-0', 'change_not_found'],
    ['none', 'change_not_found'],
  ])('rejects the change %s', async (id, code) => {
    const input = { subdomain: space.subdomain, change_id: id }
    expect(await errorCodeOf(history().get(input))).toBe(code)
    expect(await errorCodeOf(history().restore({ ...input, side: 'after' }))).toBe(code)
  })

  it('restores the name and the icon of the space', async () => {
    const { subdomain, owner } = space
    await owner.spaces.rename({ subdomain, name: 'Renamed' })
    const [change] = await list({ kind: 'space' })
    await restore(change!, 'before')
    expect((await owner.spaces.list()).find(item => item.subdomain === subdomain)?.name).toBe(
      `The ${subdomain}`,
    )
    const iconOf = async () => {
      const icon = (await owner.spaces.list()).find(item => item.subdomain === subdomain)?.icon_url
      return icon && (await requestHost(service, 'localhost', new URL(icon).pathname)).text
    }
    const icons: unknown[] = [null]
    for (const background of ['#123456', '#654321']) {
      const png = await testPng({ width: 256, height: 256, background })
      await owner.spaces.setIcon({ subdomain, png })
      icons.push(await iconOf())
    }
    await owner.spaces.removeIcon({ subdomain })
    expect(new Set(icons).size).toBe(3)
    const [removal, second, first] = await list({ kind: 'space', thing: 'icon' })
    for (const [change, side, icon] of [
      [removal, 'before', icons[2]],
      [second, 'before', icons[1]],
      [second, 'after', icons[2]],
      [first, 'before', null],
      [first, 'after', icons[1]],
    ] as const) {
      await restore(change!, side)
      expect(await iconOf()).toBe(icon)
    }
    expect(await faults()).toEqual([])
  })
})

const changing = (body: object) => ({
  updated_at: (body as { updated_at: string }).updated_at,
  ...('version' in body ? { version: body.version } : {}),
})

describe('comparing two versions', () => {
  it('shows their bodies, compares with the current version by default, and rejects versions of different items', async () => {
    const page = (await space.api.post<Id>('/pages', { slug: 'compared', html: 'one' })).body
    await space.api.patch(`/pages/${page.id}`, { html: 'two' })
    await space.api.patch(`/pages/${page.id}`, { html: 'three' })
    const [third, second, first] = await list({ thing: page.id })
    const { subdomain } = space
    const compare = (from: string, to?: string) =>
      history().compare({ subdomain, from, ...(to ? { to } : {}) })
    expect(await compare(first!.id, second!.id)).toMatchObject({ from: { text: 'one' }, to: { text: 'two' } })
    expect(await compare(second!.id)).toMatchObject({ from: { text: 'two' }, to: { text: 'three' } })
    const [other] = await list({ kind: 'record' })
    expect(await errorCodeOf(compare(third!.id, other!.id))).toBe('validation_failed')
  })
})

describe('the list of changes', () => {
  it('is newest first, is complete across pages, and can be filtered by actor and time', async () => {
    const own = await service.createSpace()
    for (let n = 0; n < 60; n++) await own.api.put('/data/n', { value: n })
    await own.owner.data.put({ subdomain: own.subdomain, key: 'n', value: 'last' })
    const read = (filter: object) => own.owner.history.list({ subdomain: own.subdomain, ...filter })
    const first = await read({})
    const second = await read({ cursor: first.next })
    expect([first.changes.length, second.changes.length, second.next]).toEqual([50, 11, null])
    const [latest, byKey] = first.changes
    expect(latest!.actor).toMatchObject({ kind: 'session', handle: own.owner.handle, label: null })
    expect(byKey!.actor).toMatchObject({ kind: 'space_key', handle: own.owner.handle, label: 'test' })
    expect((await read({ actor: latest!.actor.id })).changes).toEqual([latest])
    expect((await read({ until: first.changes.at(-1)!.at })).changes.length).toBeLessThan(12)
    expect((await read({ kind: 'page' })).changes).toEqual([])
  })
})

describe('the history', () => {
  it('keeps the changes of a deleted account, without its handle', async () => {
    const own = await service.createSpace()
    const { subdomain, owner } = own
    const guest = await service.signUp()
    const { url } = await owner.invites.create({ subdomain })
    await guest.invites.accept({ token: url.split('#')[1]! })
    await guest.data.put({ subdomain, key: 'by-guest', value: 1 })
    await guest.accounts.delete({ confirm: guest.handle })
    const { changes } = await owner.history.list({ subdomain })
    expect(changes[0]).toMatchObject({ thing: 'by-guest', actor: { kind: 'session', handle: null } })
  })

  it('is for participants only, and is deleted with its space', async () => {
    const own = await service.createSpace()
    const { subdomain, owner } = own
    await own.api.post('/files', { name: 'a.txt', content: 'x', encoding: 'text' })
    for (const value of [1, 2]) await own.api.put('/data/a', { value })
    const stranger = await service.signUp()
    expect(await errorCodeOf(stranger.history.list({ subdomain }))).toBe('space_not_found')
    const db = sqlOf(service.core.orm)
    const { id } = await db
      .selectFrom('spaces')
      .where('subdomain', '=', subdomain)
      .select('id')
      .executeTakeFirstOrThrow()
    const rows = async () =>
      Promise.all(
        (['changes', 'bodies', 'blobs'] as const).map(
          async table =>
            (await db.selectFrom(table).where('space_id', '=', id).select('space_id').execute()).length,
        ),
      )
    expect(await rows()).toEqual([3, 1, 1])
    await owner.spaces.delete({ subdomain, confirm: subdomain })
    expect(await rows()).toEqual([0, 0, 0])
  })
})

/** The content of a space: pages by id and records by key, without times and versions. */
const contentOf = async (api: RestClient) => {
  const { data: pages } = (await api.get<{ data: { id: string }[] }>('/pages')).body
  const { data: records } = (await api.get<{ data: { key: string; value: unknown }[] }>('/data')).body
  const bodies = await Promise.all(
    pages.map(async ({ id }) => {
      const { slug, html } = (await api.get<{ slug: string; html: string }>(`/pages/${id}`)).body
      return [`page ${id}`, `${slug}: ${html}`] as const
    }),
  )
  return new Map<string, string>([
    ...bodies,
    ...records.map(({ key, value }) => [`record ${key}`, JSON.stringify(value)] as const),
  ])
}

describe('undoing what an actor did since a time', () => {
  it('skips and lists items that others changed later, and is rejected without a selection', async () => {
    const own = await service.createSpace()
    await own.api.put('/data/a', { value: 1 })
    await own.api.put('/data/b', { value: 1 })
    await own.owner.data.put({ subdomain: own.subdomain, key: 'b', value: 2 })
    const { subdomain, owner } = own
    const { changes } = await owner.history.list({ subdomain })
    const byKey = changes.at(-1)!.actor.id
    const since = changes.at(-1)!.at
    expect(await owner.history.undo({ subdomain, actor: byKey, since })).toMatchObject({
      steps: [{ kind: 'record', thing: 'a', effect: 'delete' }],
      skipped: [
        {
          kind: 'record',
          thing: 'b',
          reason: 'changed_since',
          later: { handle: owner.handle, actor_label: null },
        },
      ],
    })
    expect(await errorCodeOf(owner.history.undo({ subdomain, actor: byKey }))).toBe('validation_failed')
  })

  it('skips items that anyone changed later, and lists them, if a single operation is undone', async () => {
    const { subdomain, owner, api } = await service.createSpace()
    for (const value of [1, 2]) await api.put('/data/a', { value })
    const { changes } = await owner.history.list({ subdomain })
    const first = changes.at(-1)!.id
    const { operation } = await owner.history.restore({ subdomain, change_id: first, side: 'after' })
    await api.put('/data/a', { value: 3 })
    expect(await owner.history.undo({ subdomain, operation: operation! })).toMatchObject({
      steps: [],
      skipped: [{ kind: 'record', thing: 'a', reason: 'changed_since' }],
    })
    expect((await api.get('/data/a')).body).toMatchObject({ value: 3 })
  })

  it('gives a page its kind, a record its description and a file its content type back, if nothing else changed', async () => {
    const { subdomain, owner, api, apiWith } = await service.createSpace()
    const [page, file] = [
      (await api.post<Id>('/pages', { slug: 'a', html: 'x', kind: 'static' })).body.id,
      (await api.post<Id>('/files', { name: 'a.txt', content: 'x', encoding: 'text' })).body.id,
    ]
    await api.put('/data/a', { value: 1, description: 'before' })
    const read = () =>
      Promise.all([`/pages/${page}`, `/files/${file}`, '/data/a'].map(async at => (await api.get(at)).body))
    const before = await read()
    const other = await apiWith('pages', 'files_write', 'data')
    await other.patch(`/pages/${page}`, { kind: 'scripted' })
    await other.patch(`/files/${file}`, { name: 'a.css' })
    await other.put('/data/a', { value: 1, description: 'after' })
    const [{ actor }] = (await owner.history.list({ subdomain })).changes as [Change]
    await owner.history.undo({ subdomain, actor: actor.id, since: '2000-01-01T00:00:00.000Z' })
    expect(await read()).toEqual(
      before.map(item => ({
        ...(item as object),
        updated_at: expect.any(String),
        ...('version' in (item as object) ? { version: 3 } : {}),
      })),
    )
  })

  it('undoes only changes before the end of the period, if one is given', async () => {
    const { subdomain, owner, api } = await service.createSpace()
    for (const key of ['a', 'b', 'c']) await api.put(`/data/${key}`, { value: 1 })
    await api.put('/data/b', { value: 2 })
    const { changes } = await owner.history.list({ subdomain })
    const { actor, at: since } = changes.at(-1)!
    // The changes may fall into the same millisecond, so set their times apart.
    await sql`update changes set at = ${since}::timestamptz + position_in_time.n * interval '1 s'
      from (select revision, row_number() over (order by revision) - 1 as n from changes
        where actor = ${actor.id}) as position_in_time
      where changes.revision = position_in_time.revision and actor = ${actor.id}`.execute(
      sqlOf(service.core.orm),
    )
    const until = new Date(Date.parse(since) + 2_000).toISOString()
    expect(await owner.history.undo({ subdomain, actor: actor.id, since, until })).toMatchObject({
      steps: [{ thing: 'a', effect: 'delete' }],
      skipped: [{ thing: 'b', reason: 'changed_since' }],
    })
    expect(await errorCodeOf(owner.history.undo({ subdomain, operation: 'x', until }))).toBe(
      'validation_failed',
    )
  })

  it('names items by their current names, and deleted items by the names that they get back', async () => {
    const { subdomain, owner, api } = await service.createSpace()
    const { id } = await owner.pages.create({ subdomain, slug: 'a', kind: 'static', html: 'x' })
    await api.patch(`/pages/${id}`, { slug: 'b' })
    await api.delete(`/pages/${id}`)
    const other = (await api.post<Id>('/pages', { slug: 'c', html: 'x' })).body
    await api.patch(`/pages/${other.id}`, { slug: 'd' })
    const [{ actor }] = (await owner.history.list({ subdomain })).changes as [Change]
    const { steps } = await owner.history.previewUndo({
      subdomain,
      actor: actor.id,
      since: new Date(0).toISOString(),
    })
    const shown = steps.map(({ thing, name, effect }) => [thing, name, effect])
    expect(new Set(shown)).toEqual(
      new Set([
        [id, 'a', 'bring_back'],
        [other.id, 'd', 'delete'],
      ]),
    )
  })

  it('does exactly what its preview showed, or is refused', async () => {
    const { subdomain, owner, api } = await service.createSpace()
    for (const key of ['a', 'b']) await api.put(`/data/${key}`, { value: 1 })
    const [{ actor }] = (await owner.history.list({ subdomain })).changes as [Change]
    const selection = { subdomain, actor: actor.id, since: '2000-01-01T00:00:00.000Z' }
    const undo = (plan: string) => owner.history.undo({ ...selection, plan })
    const seen = async () => (await owner.history.previewUndo(selection)).plan
    const other = await seen()
    // Each of these makes the undo do something else, or replace a version that the preview did not know.
    const changes = [
      () => api.put('/data/a', { value: 2 }),
      () => api.put('/data/c', { value: 1 }),
      () => owner.data.put({ subdomain, key: 'a', value: 3 }),
    ]
    for (const change of changes) {
      const plan = await seen()
      await change()
      const before = await contentOf(api)
      expect(await errorCodeOf(undo(plan))).toBe('space_changed')
      expect(await contentOf(api)).toEqual(before)
    }
    expect(await errorCodeOf(undo(other))).toBe('space_changed')
    const plan = await seen()
    await owner.data.put({ subdomain, key: 'of-nobody-else', value: 1 })
    expect(await undo(plan)).toMatchObject({ plan, steps: [{ thing: 'b' }, { thing: 'c' }] })
  })

  it('can itself be undone as one operation', async () => {
    const own = await service.createSpace()
    const { subdomain, owner } = own
    for (const slug of ['one', 'two', 'three']) await own.api.post('/pages', { slug, html: slug })
    const before = await contentOf(own.api)
    const { changes } = await owner.history.list({ subdomain })
    const undone = await owner.history.undo({
      subdomain,
      actor: changes[0]!.actor.id,
      since: changes.at(-1)!.at,
    })
    expect((await contentOf(own.api)).size).toBe(0)
    await owner.history.undo({ subdomain, operation: undone.operation! })
    expect(await contentOf(own.api)).toEqual(before)
  })
})
