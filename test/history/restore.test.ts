import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { HISTORY_FAULTS, withoutHistory } from '../support/history.ts'
import { testPng } from '../support/png.ts'
import { errorCodeOf } from '../support/problems.ts'
import { requestHost } from '../support/request-host.ts'
import { type TestSpace, useTestService } from '../support/test-service.ts'
import { holdLocks, lockSpace, waitForBlocked } from '../support/transactions.ts'

const service = useTestService()

let space: TestSpace
beforeAll(async () => {
  space = await service.createSpace()
})

type Id = { id: string }

const history = () => space.owner.history
const list = async (filter: object = {}) =>
  (await history().list({ subdomain: space.subdomain, ...filter })).changes
const faults = async () => (await sql.raw(HISTORY_FAULTS).execute(service.core.database)).rows
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

  it('restores the order of files that were created at the same time', async () => {
    const { subdomain, owner, api } = await service.createSpace()
    for (const name of ['a', 'b', 'c', 'd', 'e'])
      await api.post('/files', { name: `${name}.txt`, content: name, encoding: 'text' })
    const db = service.core.database
    const { id: space_id } = await db
      .selectFrom('spaces')
      .where('subdomain', '=', subdomain)
      .select('id')
      .executeTakeFirstOrThrow()
    // Give all files the same creation time, as an import does.
    const created_at = new Date()
    await withoutHistory(db, async db => {
      await db.updateTable('files').set({ created_at }).where('space_id', '=', space_id).execute()
      await sql`update changes set after = after || jsonb_build_object('created_at', ${created_at}::timestamptz)
        where space_id = ${space_id} and kind = 'file' and after is not null`.execute(db)
    })
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

  it('brings back the kind of a page and the description of a record, if only those changed', async () => {
    const { id } = (await space.api.post<Id>('/pages', { slug: 'kinds', html: 'x', kind: 'static' })).body
    await space.api.patch(`/pages/${id}`, { kind: 'scripted' })
    await space.api.put('/data/described', { value: 1, description: 'one' })
    await space.api.put('/data/described', { value: 1, description: 'two' })
    for (const thing of [id, 'described']) {
      const [change] = await list({ thing })
      expect((await restore(change!, 'before')).operation).not.toBeNull()
    }
    expect((await space.api.get(`/pages/${id}`)).body).toMatchObject({ kind: 'static' })
    // Higher than any earlier version.
    expect((await space.api.get('/data/described')).body).toMatchObject({ description: 'one', version: 3 })
    await space.api.delete('/data/described')
    const [deletion] = await list({ thing: 'described' })
    await restore(deletion!, 'before')
    expect((await space.api.get('/data/described')).body).toMatchObject({ description: 'one', version: 4 })
  })

  it('changes nothing with `only_if_deleted` if someone else has already restored the item', async () => {
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

  it('is refused if the change was deleted while the restore waited for another write', async () => {
    const { subdomain } = space
    await space.api.put('/data/trimmed', { value: 1 })
    await space.api.delete('/data/trimmed')
    const [deletion] = await list({ thing: 'trimmed' })
    const held = await holdLocks(service, db => lockSpace(db, subdomain))
    const restoring = errorCodeOf(restore(deletion!, 'before'))
    await Promise.race([restoring, waitForBlocked(service, 1)])
    await held.run(db => sql`delete from changes where thing = 'trimmed'`.execute(db))
    await held.commit()
    expect(await restoring).toBe('change_not_found')
    expect((await space.api.get('/data/trimmed')).status).toBe(404)
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

  it('changes nothing if the version to restore is the current one', async () => {
    const [change] = await list({ kind: 'page' })
    expect((await restore(change!, 'after')).operation).toBeNull()
  })

  it.each([
    ['1-999', 'change_not_found'],
    ['999999-page-aaaaaaaaaaaaaaaa', 'change_not_found'],
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
