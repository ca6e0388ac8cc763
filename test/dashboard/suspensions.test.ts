import { beforeAll, describe, expect, test } from 'vitest'
import type { Meta } from '../../routers/api/trpc.ts'
import { appRouter } from '../../routers/index.ts'
import { errorCodeOf, errorFields } from '../support/problems.ts'
import { requestHost } from '../support/request-host.ts'
import { type Person, useTestService } from '../support/test-service.ts'
import { type DashboardClient, dashboardClient, problemOf } from './support/dashboard-client.ts'

const service = useTestService({ operators: ['chief', 'deputy'] })
const REASON = 'You only advertise.'
let chief: Person
let deputy: Person

beforeAll(async () => {
  chief = await service.signUp('chief')
  deputy = await service.signUp('deputy')
})

/** Signs in over HTTP, because each HTTP request checks whether the account is suspended. */
const signIn = async ({ handle }: Person): Promise<DashboardClient['api']> => {
  const { api } = dashboardClient(service)
  await api.sessions.create.mutate({ handle, password: 'correct horse battery' })
  return api
}

const suspend = ({ handle }: Person, reason = REASON) => chief.suspensions.add({ handle, reason })

const suspended = async () => {
  const person = await service.signUp()
  const { id: post_id } = await person.posts.create({ format: 'markdown', markdown: '# Hidden words' })
  await suspend(person)
  return { person, post_id }
}

const suspendedHandles = async () => (await chief.suspensions.list({})).people.map(({ handle }) => handle)
const page = async (path: string) => (await requestHost(service, 'localhost', path)).text

/** The mutations of the main site's routers that suspended accounts can call. The others declare that they can't. */
const ALLOWED = [
  'posts.delete',
  'writing.createDraft',
  'writing.updateDraft',
  'writing.deleteDraft',
  'writing.preview',
  'comments.delete',
  'comments.deleteOnOwnPost',
  'discussions.setClosed',
  'discussions.previewComment',
  'likes.remove',
  'follows.remove',
  'mutes.add',
  'mutes.remove',
  'me.removeIcon',
  'reports.dismiss',
  'reports.takeDown',
]

const mutations = Object.entries<{ _def: { type: string; meta?: Meta } }>(appRouter._def.procedures as never)
  .filter(([, { _def }]) => _def.type === 'mutation')
  .map(([name, { _def }]) => ({ name, isRefused: _def.meta?.isRefusedWhileSuspended === true }))

const refused = mutations.flatMap(({ name, isRefused }) => (isRefused ? [name] : []))

describe('a suspended account', () => {
  test('can call only some mutations of the main site: each one is listed either as allowed or as refused', () => {
    const declared = [...refused, ...ALLOWED].filter(name => name !== 'spaces.create')
    const routers = new Set(declared.map(name => name.split('.')[0]))
    const known = mutations.map(({ name }) => name).filter(name => routers.has(name.split('.')[0]))
    expect(known.toSorted()).toEqual(declared.toSorted())
  })

  test.each(refused)('cannot call %s', async name => {
    const api = await signIn((await suspended()).person)
    const [router, procedure] = name.split('.') as ['posts', 'create']
    expect(await problemOf(api[router][procedure].mutate({}))).toMatchObject({
      code: 'account_suspended',
    })
  })

  test('cannot write with a token: 403 insufficient_scope, before the input is checked', async () => {
    const { person, post_id } = await suspended()
    const calls = [
      person.api.post('/posts', {}),
      person.api.patch(`/posts/${post_id}`, {}),
      person.api.post(`/posts/${post_id}/comments`, {}),
      person.api.put(`/posts/${post_id}/like`),
      person.api.patch('/me', {}),
    ]
    for (const { status, body } of await Promise.all(calls)) {
      expect([status, body.code]).toEqual([403, 'insufficient_scope'])
      expect(body.detail).toContain(REASON)
    }
  })

  test('can read and delete its own posts, and delete the account', async () => {
    const { person, post_id } = await suspended()
    expect((await person.api.get(`/posts/${post_id}`)).status).toBe(200)
    expect((await person.api.get('/me')).status).toBe(200)
    expect((await person.api.delete(`/posts/${post_id}`)).status).toBe(204)
    const api = await signIn(person)
    await api.writing.createDraft.mutate({ format: 'markdown', markdown: 'Mine' })
    await api.accounts.delete.mutate({ confirm: person.handle })
    expect(await suspendedHandles()).not.toContain(person.handle)
  })

  test('sees the reason after sign-in and in a notification; its audit log does not name the operator', async () => {
    const { person } = await suspended()
    const api = await signIn(person)
    expect(await api.accounts.me.query()).toMatchObject({ suspension: { reason: REASON } })
    expect((await person.notifications.list({})).notifications).toMatchObject([
      { kind: 'suspended', reason: REASON, person: null },
    ])
    expect((await person.audit.ofAccount({ topic: 'suspensions' })).events).toMatchObject([
      { kind: 'account_suspended', handle: null, is_anonymous: true },
    ])
    const [event] = (await chief.audit.ofAccount({ topic: 'suspensions' })).events
    expect(event).toMatchObject({ kind: 'account_suspended', handle: 'chief', label: person.handle })
  })

  test('is hidden from public pages, lists and other people, and visible again when the suspension is lifted', async () => {
    const [author, reader] = await Promise.all([service.signUp(), service.signUp()])
    await author.me.update({ display_name: 'Loud Name', bio: 'Buy my beans' })
    const { id } = await author.posts.create({ format: 'markdown', markdown: '# Loud post' })
    const { id: other } = await reader.posts.create({ format: 'markdown', markdown: '# Quiet post' })
    const { id: comment_id } = await author.comments.create({ post_id: other, body: 'Loud comment' })
    await reader.follows.add({ handle: author.handle })
    const seen = async () => ({
      timeline: (await page('/')).includes('Loud post'),
      post: (await requestHost(service, 'localhost', `/posts/${id}`)).status,
      document: (await requestHost(service, `${id}.posts.localhost`, '/')).status,
      profile: (await page(`/@${author.handle}`)).includes('Buy my beans'),
      comment: (await page(`/posts/${other}`)).includes('Loud comment'),
      api: (await reader.api.get(`/posts/${id}`)).status,
      comments: (await reader.comments.list({ post_id: other })).data.length,
      count: (await reader.posts.get({ post_id: other })).comment_count,
      discussion: (await reader.discussions.get({ post_id: other })).comments.length,
      notifications: (await reader.notifications.list({})).notifications.length,
      unread: (await reader.notifications.unread()).count,
      like: await errorCodeOf(reader.likes.add({ post_id: id })),
      report: await errorCodeOf(reader.reports.createForComment({ comment_id, reason: 'Spam' })),
    })
    await suspend(author)
    const text = await page(`/@${author.handle}`)
    expect(text).toContain('This account is suspended.')
    expect(text).not.toMatch(/Loud|follow"|Buy my beans/)
    expect(await seen()).toEqual({
      timeline: false,
      post: 404,
      document: 404,
      profile: false,
      comment: false,
      api: 404,
      comments: 0,
      count: 0,
      discussion: 0,
      notifications: 0,
      unread: 0,
      like: 'post_not_found',
      report: 'comment_not_found',
    })
    await chief.suspensions.lift({ handle: author.handle })
    expect(await seen()).toEqual({
      timeline: true,
      post: 200,
      document: 200,
      profile: true,
      comment: true,
      api: 200,
      comments: 1,
      count: 1,
      discussion: 1,
      notifications: 1,
      unread: 1,
      like: undefined,
      report: undefined,
    })
    expect((await author.notifications.list({})).notifications[0]).toMatchObject({
      kind: 'suspension_lifted',
    })
    await (await signIn(author)).posts.create.mutate({ format: 'markdown', markdown: 'Back' })
  })
})

describe('operators', () => {
  test('cannot suspend operators, or themselves', async () => {
    for (const { handle } of [deputy, chief])
      expect(await errorCodeOf(chief.suspensions.add({ handle, reason: REASON }))).toBe('operator_account')
    expect(await suspendedHandles()).not.toContain('deputy')
  })

  test('get a clear error for an unknown handle, a missing reason, and an account that is not suspended', async () => {
    const { handle } = await service.signUp()
    expect(await errorCodeOf(chief.suspensions.add({ handle: 'no_such_person', reason: 'x' }))).toBe(
      'account_not_found',
    )
    expect(await errorFields(chief.suspensions.add({ handle, reason: ' ' }))).toEqual(['reason'])
    expect(await errorFields(chief.suspensions.add({ handle, reason: 'x'.repeat(501) }))).toEqual(['reason'])
    expect(await errorCodeOf(chief.suspensions.lift({ handle }))).toBe('not_suspended')
    expect(await errorFields(chief.suspensions.list({ cursor: 'x' }))).toEqual(['cursor'])
  })

  test('see suspended accounts in a list, each once, and change the reason by suspending again', async () => {
    const { person } = await suspended()
    const { person: later } = await suspended()
    const listed = async () => (await chief.suspensions.list({})).people.slice(0, 2)
    const before = await listed()
    expect(before.map(({ handle }) => handle)).toEqual([later.handle, person.handle])
    await suspend(person, 'Another reason')
    // The time of the suspension, and so the order, stays the same.
    expect(await listed()).toEqual([before[0], { ...before[1], reason: 'Another reason' }])
  })

  test('see each suspended account on exactly one page of the list', async () => {
    const people = []
    for (let i = 0; i < 51; i++) people.push(await service.signUp())
    for (const person of people) await suspend(person)
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const page: Awaited<ReturnType<typeof chief.suspensions.list>> = await chief.suspensions.list({
        cursor,
      })
      seen.push(...page.people.map(({ handle }) => handle))
      cursor = page.next
    } while (cursor !== null)
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen).toEqual(expect.arrayContaining(people.map(({ handle }) => handle)))
  })
})
