import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { errorCodeOf } from '../support/problems.ts'
import type { RestClient } from '../support/rest-client.ts'
import { shifted } from '../support/shifted-time.ts'
import { type Person, useTestService } from '../support/test-service.ts'

const service = useTestService()

type Id = { id: string }
type Change = Awaited<ReturnType<Person['history']['list']>>['changes'][number]

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

describe('an undo', () => {
  it("of one actor's changes needs a start time; it skips and lists items that others changed later", async () => {
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

  it('skips items that anyone changed after the undone operation, and lists these items', async () => {
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

  it('restores the kind of a page, the description of a record and the content type of a file, if only those changed', async () => {
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

  it('includes only changes before `until`, if it is given', async () => {
    const { subdomain, owner, api } = await service.createSpace()
    for (const key of ['a', 'b', 'c']) await api.put(`/data/${key}`, { value: 1 })
    await api.put('/data/b', { value: 2 })
    const { changes } = await owner.history.list({ subdomain })
    const { actor, at: since } = changes.at(-1)!
    // The changes may fall into the same millisecond, so set their times apart.
    await sql`update writes set at = ${sql.raw(shifted(`'${since}'::timestamptz`, "+ position_in_time.n * interval '1 s'"))}
      from (select revision, row_number() over (order by revision) - 1 as n from writes
        where actor = ${actor.id}) as position_in_time
      where writes.revision = position_in_time.revision and actor = ${actor.id}`.execute(
      service.core.database,
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

  it('shows the current name of an item, and for a deleted item the name that the undo restores', async () => {
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
    // Each of these changes makes the preview outdated: the undo would differ from it, or replace a newer version.
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

  it('is refused if a name that its preview would restore was taken since', async () => {
    const { subdomain, owner, api } = await service.createSpace()
    const page = (await owner.pages.create({ subdomain, slug: 'old', html: 'x' })).id
    await api.patch(`/pages/${page}`, { slug: 'new' })
    const [{ actor, at }] = (await owner.history.list({ subdomain })).changes as [Change]
    const selection = { subdomain, actor: actor.id, since: at }
    const { plan, steps } = await owner.history.previewUndo(selection)
    expect(steps).toHaveLength(1)
    await owner.pages.create({ subdomain, slug: 'old', html: 'y' })
    expect(await errorCodeOf(owner.history.undo({ ...selection, plan }))).toBe('space_changed')
    expect((await owner.history.undo(selection)).steps).toEqual([])
    expect((await api.get(`/pages/${page}`)).body).toMatchObject({ slug: 'new' })
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
