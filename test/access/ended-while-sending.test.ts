/**
 * A caller sends the head and half of the body of a request, its right to call ends, and it sends the rest. The other
 * facades read the body before they look at the caller. `ended-callers.test.ts` has all procedures.
 */
import { once } from 'node:events'
import http from 'node:http'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { SPACE_SCOPES } from '../../routers/api/scopes.ts'
import { type DashboardClient, dashboardClient } from '../dashboard/support/dashboard-client.ts'
import { type TestSpace, useTestService } from '../support/test-service.ts'

const service = useTestService({ operators: ['chief'] })
const PASSWORD = 'correct horse battery'

interface Sent {
  method: string
  path: string
  headers: Record<string, string>
  body: string | Buffer
}

/** Sends a request whose caller's right ends after half of the body. Returns the status and what it answers. */
const sendWhile = async ({ method, path, headers, body }: Sent, end: () => Promise<unknown>) => {
  const bytes = Buffer.from(body)
  const { hostname, port } = new URL(service.root)
  const length = { expect: '100-continue', 'content-length': bytes.length }
  const outgoing = http.request({
    hostname,
    port,
    method,
    path,
    headers: { ...headers, ...length },
    agent: false,
  })
  outgoing.flushHeaders()
  // The service asks for the body after it has checked the caller.
  await once(outgoing, 'continue')
  const half = bytes.length >> 1
  await new Promise(resolve => outgoing.write(bytes.subarray(0, half), resolve))
  await end()
  const response = once(outgoing, 'response')
  outgoing.end(bytes.subarray(half))
  const [incoming] = (await response) as [http.IncomingMessage]
  const text = Buffer.concat((await incoming.toArray()) as Buffer[]).toString()
  return { status: incoming.statusCode!, code: /\\?"code\\?":\s*\\?"([a-z_]+)\\?"/.exec(text)?.[1] }
}

const json = (fields: object) => ({
  headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
  body: JSON.stringify(fields),
})

let space: TestSpace
let secret: string
/** The owner of the space, in two browsers. */
let here: DashboardClient
let elsewhere: DashboardClient

const signIn = async () => {
  const browser = dashboardClient(service)
  await browser.api.sessions.create.mutate({ handle: space.owner.handle, password: PASSWORD })
  return browser
}

beforeEach(async () => {
  space = await service.createSpace()
  secret = await space.key(...SPACE_SCOPES)
  here = await signIn()
  elsewhere = await signIn()
})

const bearer = (credential: string) => ({ authorization: `Bearer ${credential}` })

const revokeKeys = async () => {
  const { subdomain, owner } = space
  for (const { id } of await owner.keys.list({ subdomain }))
    await owner.keys.revoke({ subdomain, key_id: id })
}

const endEverything = () =>
  elsewhere.api.accounts.setPassword.mutate({
    current_password: PASSWORD,
    password: 'another horse battery',
    end_tokens: true,
  })

const leave = async () => {
  await space.join()
  await space.owner.participants.leave({ subdomain: space.subdomain })
}

const countOf = async (table: 'data_records' | 'space_keys' | 'posts' | 'files') => {
  const { rows } = await sql<{
    count: number
  }>`select count(*)::int as count from ${sql.table(table)}`.execute(service.core.database)
  return rows[0]!.count
}

describe('with a space key', () => {
  const record = () => ({
    method: 'PUT',
    path: `/v1/spaces/${space.subdomain}/data/late`,
    ...json({ value: 'x'.repeat(1_000) }),
  })

  test('REST writes nothing after the key was revoked, or its issuer has left', async () => {
    for (const end of [leave, revokeKeys]) {
      space = await service.createSpace()
      const { headers, ...sent } = record()
      const key = await space.key('data')
      expect(await sendWhile({ ...sent, headers: { ...headers, ...bearer(key) } }, end)).toEqual({
        status: 401,
        code: 'unauthorized',
      })
    }
    expect(await countOf('data_records')).toBe(0)
  })

  test.each(['/mcp', '/mcp/studio'])(
    'the tool server %s writes nothing after the key was revoked',
    async path => {
      const call = json({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'put_data', arguments: { key: 'late', value: 'x'.repeat(1_000) } },
      })
      const sent = { method: 'POST', path, ...call, headers: { ...call.headers, ...bearer(secret) } }
      expect(await sendWhile(sent, revokeKeys)).toMatchObject({ code: 'unauthorized' })
      expect(await countOf('data_records')).toBe(0)
    },
  )
})

describe('with a user token', () => {
  const post = async () => {
    const sent = json({ html: '<p>late</p>'.repeat(100) })
    const token = await space.owner.token('posts')
    return { method: 'POST', path: '/v1/posts', ...sent, headers: { ...sent.headers, ...bearer(token) } }
  }

  test('REST publishes nothing after the token was revoked', async () => {
    const revoke = async () => {
      for (const { id } of await space.owner.tokens.list()) await space.owner.tokens.revoke({ token_id: id })
    }
    expect(await sendWhile(await post(), revoke)).toEqual({ status: 401, code: 'unauthorized' })
    expect(await countOf('posts')).toBe(0)
  })

  test('REST publishes nothing after the account was suspended', async () => {
    const chief = await service.signUp('chief')
    const suspend = () => chief.suspensions.add({ handle: space.owner.handle, reason: 'It only advertises.' })
    expect(await sendWhile(await post(), suspend)).toEqual({ status: 403, code: 'insufficient_scope' })
    expect(await countOf('posts')).toBe(0)
  })
})

describe('with a session', () => {
  const cookie = () => ({ cookie: here.cookie()! })

  test('the dashboard issues no key after the password was changed in another browser', async () => {
    const before = await countOf('space_keys')
    const sent = json({
      subdomain: space.subdomain,
      label: 'stolen',
      scopes: ['pages'],
      expires_in_days: 365,
    })
    expect(
      await sendWhile(
        { method: 'POST', path: '/trpc/keys.issue', ...sent, headers: { ...sent.headers, ...cookie() } },
        endEverything,
      ),
    ).toEqual({ status: 401, code: 'sign_in_required' })
    expect(await countOf('space_keys')).toBe(before)
  })
})

describe('with an upload link', () => {
  test('no file is stored after the link has expired, or its key was revoked', async () => {
    const { subdomain } = space
    const { api } = here
    const link = async () =>
      new URL((await api.uploadLinks.create.mutate({ subdomain, name: 'late.txt' })).url).pathname
    const expire = () =>
      sql`update upload_links set expires_at = now() - interval '1 second'`.execute(service.core.database)
    for (const end of [expire, leave])
      expect(
        await sendWhile({ method: 'PUT', path: await link(), headers: {}, body: 'x'.repeat(100) }, end),
      ).toEqual({
        status: 404,
        code: 'upload_link_not_found',
      })
    expect(await countOf('files')).toBe(0)
  })
})
