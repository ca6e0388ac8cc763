import { beforeAll, expect, inject, it } from 'vitest'
import { limits } from '../../routers/api/rules.ts'
import { dashboardClient } from '../dashboard/support/dashboard-client.ts'
import { toolClient } from '../mcp/support/tool-client.ts'
import { copyDatabase } from '../support/database.ts'
import { startTestService, type TestService, uniqueName } from '../support/test-service.ts'
import { errorOfStream, follow } from './support/streams.ts'

let service: TestService
/** A process that shares the database, but not the memory of the other one. */
let other: TestService
beforeAll(async () => {
  const databaseUrl = await copyDatabase(inject('database'))
  service = await startTestService({ databaseUrl, operators: ['chief'], signUpsPerClient: 1000 })
  other = await startTestService({ databaseUrl })
  return () => Promise.all([service.stop(), other.stop()])
})

const PASSWORD = 'correct horse battery'

/** Signs a new person in with a browser, and creates a space. */
const person = async (at: TestService = service) => {
  const { api, cookie } = dashboardClient(at)
  const handle = uniqueName('watcher')
  await api.accounts.signUp.mutate({ handle, password: PASSWORD })
  const subdomain = uniqueName('watched')
  await api.spaces.create.mutate({ subdomain, name: 'Watched' })
  const { secret } = await api.keys.issue.mutate({ subdomain, label: 'Robot', scopes: ['pages', 'data'] })
  const space = at.rest(secret, `/v1/spaces/${subdomain}`)
  const join = async (guest: Pick<ReturnType<typeof dashboardClient>, 'api'>) => {
    const { url } = await api.invites.create.mutate({ subdomain })
    await guest.api.invites.accept.mutate({ token: new URL(url).hash.slice(1) })
  }
  return { api, handle, subdomain, secret, space, join, cookie: cookie()! }
}

const follows = ({ cookie, subdomain }: { cookie: string; subdomain: string }, lastEventId?: string) =>
  follow(service.root, cookie, [subdomain], lastEventId)

it('a stream begins with the latest changes and then tells what anyone writes, who and how', async () => {
  const watcher = await person()
  const { space, subdomain, secret } = watcher
  await space.post('/pages', { slug: 'before', html: 'x' })
  const stream = follows(watcher)
  const first = await stream.next('changes')
  expect(first).toMatchObject({ subdomain, is_complete: true })
  expect(first.changes.map(({ name }) => name)).toContain('before')

  const created = await space.post('/pages', { slug: 'menu', html: 'x' })
  expect(await stream.next('changes')).toMatchObject({
    subdomain,
    is_complete: true,
    changes: [
      { kind: 'page', thing: created.body.id, name: 'menu', action: 'create', actor: { label: 'Robot' } },
    ],
  })

  const agent = toolClient(service, '/mcp', secret, '2025-11-25')
  const clientInfo = { name: 'Claude Code', version: '1' }
  await agent.send('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo })
  await agent.call('update_page', { page_id: created.body.id, html: 'y' })
  expect(await stream.next('changes')).toMatchObject({
    changes: [{ name: 'menu', action: 'change', actor: { agent: 'Claude Code' } }],
  })

  await watcher.api.records.create.mutate({ subdomain, key: 'hours', value: 1 })
  expect(await stream.next('changes')).toMatchObject({
    changes: [{ kind: 'record', thing: 'hours', actor: { kind: 'session', handle: watcher.handle } }],
  })
})

it('a stream that begins with the id of an event tells all that was written since', async () => {
  const watcher = await person()
  const before = follows(watcher)
  await before.next('changes')
  before.close()
  for (const slug of ['one', 'two', 'three']) await watcher.space.post('/pages', { slug, html: 'x' })
  const { changes, is_complete } = await follows(watcher, before.lastEventId()).next('changes')
  expect(changes.map(({ name }) => name)).toEqual(['three', 'two', 'one'])
  expect(is_complete).toBe(true)
})

it('a stream says if it cannot tell all that was written', async () => {
  const watcher = await person()
  const before = follows(watcher)
  await before.next('changes')
  before.close()
  const ids: string[] = []
  for (let n = 0; n < 3; n++)
    ids.push((await watcher.space.post('/pages', { slug: `p${n}`, html: 'x' })).body.id as string)
  await service.core.database.deleteFrom('changes').where('thing', '=', ids[1]!).execute()
  const read = await follows(watcher, before.lastEventId()).next('changes')
  expect(read.changes).toHaveLength(2)
  expect(read.is_complete).toBe(false)

  // More than one event can hold.
  const records = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`r${n}`, n]))
  for (const round of ['a', 'b', 'c'])
    await toolClient(service, '/mcp/studio', watcher.secret, '2025-11-25').call('write_many', {
      records: Object.entries(records).map(([key, value]) => ({ key: `${round}-${key}`, value })),
    })
  const many = await follows(watcher, before.lastEventId()).next('changes')
  expect(many.is_complete).toBe(false)
  expect(many.changes.length).toBeLessThanOrEqual(100)

  // A cursor of the future: an earlier backup was restored.
  const restored = await follows(watcher, `${watcher.subdomain}=999999`).next('changes')
  expect(restored.is_complete).toBe(false)
})

it.each(['', '\0', 'x', '=1', `${'9'.repeat(18)}=1`, 'watched=99999999999999999999', 'a=1 b=x c'])(
  'a stream with the malformed id %j starts over',
  async id => {
    const watcher = await person()
    await watcher.space.post('/pages', { slug: 'a', html: 'x' })
    const { changes, is_complete } = await follows(watcher, id).next('changes')
    expect(changes).toHaveLength(1)
    expect(is_complete).toBe(true)
  },
)

it.each<[string, unknown]>([
  ['no input', undefined],
  ['no spaces', { subdomains: [] }],
  ['too many spaces', { subdomains: Array.from({ length: 11 }, (_, n) => `space-${n}`) }],
  ['a space that is not a text', { subdomains: [1] }],
  ['an id that is too long', { subdomains: ['a-space'], lastEventId: 'x'.repeat(1001) }],
])('a stream with %s ends with an error', async (_, input) => {
  const { cookie } = await person()
  const query = input === undefined ? '' : `?input=${encodeURIComponent(JSON.stringify(input))}`
  const response = await fetch(`${service.root}/trpc/live.follow${query}`, { headers: { cookie } })
  expect(errorOfStream(await response.text()).problem).toMatchObject({ code: 'validation_failed' })
})

it('one stream follows several spaces, and says which the account does not participate in', async () => {
  const watcher = await person()
  const stranger = await person()
  const second = uniqueName('second')
  await watcher.api.spaces.create.mutate({ subdomain: second, name: 'Second' })
  const stream = follow(service.root, watcher.cookie, [
    watcher.subdomain,
    second,
    stranger.subdomain,
    'no-such',
  ])
  expect(await stream.next()).toEqual({ kind: 'gone', subdomain: stranger.subdomain })
  expect(await stream.next()).toEqual({ kind: 'gone', subdomain: 'no-such' })
  expect(
    [(await stream.next('changes')).subdomain, (await stream.next('changes')).subdomain].toSorted(),
  ).toEqual([second, watcher.subdomain].toSorted())
  await stranger.space.post('/pages', { slug: 'secret', html: 'x' })
  await watcher.api.records.create.mutate({ subdomain: second, key: 'a', value: 1 })
  expect(await stream.next('changes')).toMatchObject({ subdomain: second })
})

const endings: Record<string, (watcher: Awaited<ReturnType<typeof person>>) => Promise<unknown>> = {
  'signing out': ({ api }) => api.sessions.delete.mutate(),
  'leaving the space': async ({ api, subdomain, join }) => {
    await join(await person())
    await api.participants.leave.mutate({ subdomain })
  },
  'the deletion of the space': ({ api, subdomain }) =>
    api.spaces.delete.mutate({ subdomain, confirm: subdomain }),
  'the deletion of the account': async ({ api, handle, join }) => {
    await join(await person())
    await api.accounts.delete.mutate({ confirm: handle })
  },
}

it.each(Object.entries(endings))('%s ends the stream, even if nothing is written', async (_, end) => {
  const watcher = await person()
  const stream = follows(watcher)
  await stream.next('changes')
  await end(watcher)
  expect(await stream.end()).toBeUndefined()
})

it('a suspension ends the stream with the next change, and the person can begin another one', async () => {
  const watcher = await person()
  const stream = follows(watcher)
  await stream.next('changes')
  const chief = await service.signUp('chief')
  await chief.suspensions.add({ handle: watcher.handle, reason: 'Spam' })
  await watcher.space.post('/pages', { slug: 'unseen', html: 'x' })
  expect(await stream.end()).toBeUndefined()
  expect((await follows(watcher).next('changes')).changes.map(({ name }) => name)).toContain('unseen')
})

it('an expired session gets no further change', async () => {
  const watcher = await person()
  const stream = follows(watcher)
  await stream.next('changes')
  await service.core.database
    .updateTable('sessions')
    .set({ expires_at: new Date(Date.now() - 1000) })
    .where('account_id', 'in', eb =>
      eb.selectFrom('accounts').where('handle', '=', watcher.handle).select('id'),
    )
    .execute()
  await watcher.space.post('/pages', { slug: 'unseen', html: 'x' })
  expect(await stream.end()).toBeUndefined()
  await expect(stream.next('changes')).rejects.toThrow(/has ended/)
})

it('everyone who has the space open is there, until the browser leaves', async () => {
  const watcher = await person()
  const guest = await person()
  await watcher.join(guest)
  const { subdomain } = watcher
  const here = async () => (await watcher.api.live.people.query({ subdomain })).map(({ handle }) => handle)
  expect(await here()).toEqual([])
  const stream = follows(watcher)
  await stream.next('people')
  expect(await here()).toEqual([watcher.handle])

  const second = follow(service.root, guest.cookie, [subdomain])
  await second.next('changes')
  await stream.next('people')
  expect(await here()).toEqual([guest.handle, watcher.handle].toSorted())

  second.close()
  while ((await here()).length > 1) await stream.next('people')
  stream.close()
  await expect.poll(here, { timeout: 20_000 }).toEqual([])
  const kept = await service.core.database.selectFrom('presences').selectAll().execute()
  expect(kept).toEqual([])
})

it('one account can open only so many streams, and is told when to try again', async () => {
  const watcher = await person()
  const other = await person()
  const streams = Array.from({ length: limits.streamsPerAccount }, () => follows(watcher))
  await Promise.all(streams.map(stream => stream.next('changes')))
  const refused = follows(watcher)
  expect(await refused.end()).toMatchObject({
    problem: { code: 'rate_limited', status: 429 },
    retryAfter: 30,
  })
  await follows(other).next('changes')
  streams[0]!.close()
  // The service notices that the browser has left.
  for (;;) {
    const again = follows(watcher)
    const event = await again.next('changes').catch(() => undefined)
    if (event) break
  }
})

it('the stream is an event stream that proxies neither store nor hold back', async () => {
  const watcher = await person()
  const stream = follows(watcher)
  expect(await stream.headers).toMatchObject({
    'content-type': expect.stringMatching(/^text\/event-stream/),
    'cache-control': expect.stringMatching(/no-transform.*no-store/),
    'x-accel-buffering': 'no',
  })
})

it('a service that stops ends its streams at once', async () => {
  const stopping = await startTestService()
  const watcher = await person(stopping)
  const stream = follow(stopping.root, watcher.cookie, [watcher.subdomain])
  await stream.next('changes')
  const [error] = await Promise.all([stream.end(), stopping.stop()])
  expect(error).toBeUndefined()
})

it('a write at another process is told too', async () => {
  const watcher = await person()
  const stream = follows(watcher)
  await stream.next('changes')
  const space = other.rest(watcher.secret, `/v1/spaces/${watcher.subdomain}`)
  await space.post('/pages', { slug: 'elsewhere', html: 'x' })
  expect(await stream.next('changes')).toMatchObject({ changes: [{ name: 'elsewhere' }] })
})
