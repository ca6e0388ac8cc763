import * as fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { sqlOf } from '../../db/orm.ts'
import { HISTORY_FAULTS } from '../support/history.ts'
import { errorCodeOf } from '../support/problems.ts'
import type { RestClient } from '../support/rest-client.ts'
import { type TestSpace, useTestService } from '../support/test-service.ts'

const service = useTestService()

let space: TestSpace
beforeAll(async () => {
  space = await service.createSpace()
})

type Id = { id: string }

const history = () => space.owner.history
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

  it('of the current version changes nothing', async () => {
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

/** Two actors with different keys, and the commands that they can run. */
const actor = fc.constantFrom(0, 1)
const which = fc.constantFrom('a', 'b', 'c')
const command = fc.oneof(
  fc.record({ type: fc.constant('page' as const), actor, name: which, html: fc.constantFrom('1', '2', '3') }),
  fc.record({ type: fc.constant('rename' as const), actor, name: which, to: which }),
  fc.record({ type: fc.constant('remove' as const), actor, name: which }),
  fc.record({ type: fc.constant('data' as const), actor, name: which, value: fc.constantFrom(1, 2, 3) }),
  fc.record({ type: fc.constant('forget' as const), actor, name: which }),
)

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
  // Long timeout: the test sends thousands of requests, which can take half a minute on a busy machine.
  it('gives the content that its preview shows, whichever actor is undone first', {
    timeout: 180_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(command, { minLength: 1, maxLength: 12 }),
        fc.array(actor, { minLength: 1, maxLength: 3 }),
        async (commands, order) => {
          const own = await service.createSpace()
          const keys = [own.api, await own.apiWith('pages', 'data')]
          const { subdomain, owner } = own
          const run = async (step: (typeof commands)[number]) => {
            const api = keys[step.actor]!
            const found = (
              await own.api.get<{ data: { id: string; slug: string }[] }>('/pages')
            ).body.data.find(({ slug }) => slug === step.name)
            if (step.type === 'data') await api.put(`/data/${step.name}`, { value: step.value })
            else if (step.type === 'forget') await api.delete(`/data/${step.name}`)
            else if (step.type === 'page' && !found)
              await api.post('/pages', { slug: step.name, html: step.html })
            else if (step.type === 'page') await api.patch(`/pages/${found!.id}`, { html: step.html })
            else if (step.type === 'rename' && found) await api.patch(`/pages/${found.id}`, { slug: step.to })
            else if (step.type === 'remove' && found) await api.delete(`/pages/${found.id}`)
          }
          // The content after each change, to compare with the result of the undo.
          const states = [await contentOf(own.api)]
          const seen = new Set<string>()
          const trail: { actor: string; thing: string; before: string | undefined }[] = []
          const follow = async () => {
            const state = await contentOf(own.api)
            const { changes } = await owner.history.list({ subdomain })
            for (const change of changes.filter(({ id }) => !seen.has(id)).toReversed()) {
              seen.add(change.id)
              const thing = `${change.kind} ${change.thing}`
              trail.push({ actor: change.actor.id, thing, before: states.at(-1)!.get(thing) })
            }
            states.push(state)
          }
          for (const step of commands) {
            await run(step)
            await follow()
          }
          const { changes } = await owner.history.list({ subdomain })
          const actors = [...new Set(changes.map(change => change.actor.id))]
          for (const index of order) {
            const id = actors[index]
            if (id === undefined) continue
            const selection = { subdomain, actor: id, since: '2000-01-01T00:00:00.000Z' }
            const plan = await owner.history.previewUndo(selection)
            const before = await contentOf(own.api)
            const { operation, ...undone } = await owner.history.undo(selection)
            expect(undone).toEqual(plan)
            expect(operation === null).toBe(plan.steps.length === 0)
            const after = await contentOf(own.api)
            const targets = new Set(plan.steps.map(step => `${step.kind} ${step.thing}`))
            for (const thing of new Set([...before.keys(), ...after.keys(), ...targets])) {
              const first = trail.findIndex(entry => entry.actor === id && entry.thing === thing)
              // Each item in the preview is as it was before the actor's first change; all other items are unchanged.
              expect(after.get(thing)).toBe(targets.has(thing) ? trail[first]!.before : before.get(thing))
              // Items that another actor changed later are not undone.
              const isOwn = trail.slice(first).every(entry => entry.thing !== thing || entry.actor === id)
              expect(isOwn || !targets.has(thing)).toBe(true)
            }
            await follow()
          }
          expect(await faults()).toEqual([])
        },
      ),
      { numRuns: 25 },
    )
  })

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

  it('of one operation skips and lists items that anyone changed later', async () => {
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
