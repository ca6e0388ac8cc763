import { describe, expect, test } from 'vitest'
import { ENVELOPE } from '../../facades/mcp/call.ts'
import { limits } from '../../routers/core/rules.ts'
import { SPACE_SCOPES, USER_SCOPES } from '../../routers/core/scopes.ts'
import { head, request, wire } from '../space-api/support/http.ts'
import { useWorld } from '../support/world.ts'
import { eras, toolClient } from './support/tool-client.ts'

const world = useWorld()

const spaceKey = async () => (await world.space()).key(...SPACE_SCOPES)
const token = async () => (await world.person()).token(...USER_SCOPES)
const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }

/** A POST as an older client sends it, with whatever is different this time. */
const post = (secret: string | undefined, body: unknown, headers: Record<string, string> = {}) =>
  request(world.root, 'POST', '/mcp', {
    headers: {
      'content-type': 'application/json',
      ...(secret === undefined ? {} : { authorization: `Bearer ${secret}` }),
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

describe.each(['/mcp', '/user-mcp'])('%s', path => {
  test.each(['GET', 'DELETE', 'PUT', 'PATCH', 'OPTIONS', 'HEAD'])(
    'answers %s with 405 and the method that it takes',
    async method => {
      const answer = await request(world.root, method, path)
      expect(answer.status).toBe(405)
      expect(answer.headers.allow).toBe('POST')
    },
  )

  test('answers a stranger with 401, the challenge, and the problem that REST tells', async () => {
    const answer = await request(world.root, 'POST', path, {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(ping),
    })
    expect(answer.status).toBe(401)
    expect(answer.headers['www-authenticate']).toMatch(/^Bearer/)
    expect(answer.headers['content-type']).toBe('application/json')
    const rest = await world.rest().get('/me')
    expect(answer.body).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32_000, data: rest.body } })
  })

  test.each(['initialize', 'ping', 'tools/list', 'server/discover'])(
    'answers a stranger who sends %s with 401',
    async method => {
      const answer = await request(world.root, 'POST', path, {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...ping, method }),
      })
      expect(answer.status).toBe(401)
    },
  )

  test('is no other path: a slash at the end, another case', async () => {
    for (const other of [`${path}/`, path.toUpperCase()])
      expect((await request(world.root, 'GET', other)).status).toBe(404)
  })
})

test('/mcp knows no metadata by which a client could get a key', async () => {
  expect((await post(undefined, ping)).headers['www-authenticate']).toBe('Bearer')
})

test('a key does not open /user-mcp, a token does not open /mcp', async () => {
  const key = toolClient(world, '/user-mcp', await spaceKey(), '2025-11-25')
  expect((await key.send('ping')).status).toBe(401)
  const person = toolClient(world, '/mcp', await token(), '2025-11-25')
  expect((await person.send('ping')).status).toBe(401)
})

describe('a request from a browser', () => {
  test.each(['http://evil.example', 'http://garden.sites.localhost', 'null', 'http://localhost:81'])(
    'is refused when its page is at %s, before its credential is looked at',
    async origin => {
      const answer = await post(undefined, ping, { origin })
      expect(answer.status).toBe(403)
      expect(answer.body).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32_000 } })
    },
  )

  test('is answered when its page is at the main door', async () => {
    const answer = await post(await spaceKey(), ping, { origin: 'http://localhost' })
    expect(answer.body).toEqual({ jsonrpc: '2.0', id: 1, result: {} })
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin')
  })
})

describe('a body', () => {
  const refusals: [string, unknown, number, number][] = [
    ['that is not JSON', '{', 400, -32_700],
    ['that is empty', '', 400, -32_700],
    ['that is a batch', [ping, ping], 400, -32_600],
    ['that is an empty batch', [], 400, -32_600],
    ['that is a batch of one', [ping], 400, -32_600],
    ['that is a number', 5, 400, -32_600],
    ['of another JSON-RPC', { ...ping, jsonrpc: '1.0' }, 400, -32_600],
    ['without a method', { jsonrpc: '2.0', id: 1 }, 400, -32_600],
    ['whose id is null', { ...ping, id: null }, 400, -32_600],
    ['whose id is a fraction', { ...ping, id: 1.5 }, 400, -32_600],
    ['whose params are a list', { ...ping, params: [] }, 400, -32_602],
    [
      'with a progress token that is none',
      { ...ping, params: { _meta: { progressToken: {} } } },
      400,
      -32_600,
    ],
  ]
  test.each(refusals)('%s is refused', async (_title, body, status, code) => {
    const answer = await post(await spaceKey(), body)
    expect(answer.status).toBe(status)
    expect(answer.body).toMatchObject({ jsonrpc: '2.0', error: { code, message: expect.any(String) } })
  })

  test('that is no JSON by its type is refused with 415', async () => {
    const answer = await post(await spaceKey(), ping, { 'content-type': 'text/plain' })
    expect(answer.status).toBe(415)
    expect(answer.body).toMatchObject({ error: { data: { code: 'unsupported_media_type' } } })
  })

  test('is not answered to a client that does not take JSON', async () => {
    const answer = await post(await spaceKey(), ping, { accept: 'text/event-stream' })
    expect(answer.status).toBe(406)
  })

  test('with a field too many is answered all the same', async () => {
    const answer = await post(await spaceKey(), { ...ping, extra: true })
    expect(answer.body).toEqual({ jsonrpc: '2.0', id: 1, result: {} })
  })

  test.each([
    ['a notification', { jsonrpc: '2.0', method: 'notifications/initialized' }],
    ['a cancellation', { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }],
    ['an answer to nothing', { jsonrpc: '2.0', id: 1, result: {} }],
  ])('that is %s is accepted without an answer', async (_title, body) => {
    const answer = await post(await spaceKey(), body)
    expect(answer).toMatchObject({ status: 202, text: '' })
  })
})

describe('a large body', () => {
  /** More than any tool takes. */
  const tooLarge = limits.fileBody + 3 * ENVELOPE

  test('from a stranger is refused before any of it is sent', async () => {
    const line = await wire(world.root)
    await line.write(head('POST', '/mcp', { 'Content-Type': 'application/json', 'Content-Length': tooLarge }))
    expect(await line.heard('"unauthorized"')).toContain('HTTP/1.1 401')
    line.cut()
  })

  test('that is larger than any tool takes is refused by its length', async () => {
    const line = await wire(world.root)
    await line.write(
      head('POST', '/mcp', {
        Authorization: `Bearer ${await spaceKey()}`,
        'Content-Type': 'application/json',
        'Content-Length': tooLarge,
      }),
    )
    expect(await line.heard('"payload_too_large"')).toContain('HTTP/1.1 413')
    line.cut()
  })

  test('of unknown length is cut off where it becomes larger than any tool takes', async () => {
    const chunk = Buffer.alloc(1_048_576, ' ')
    const answer = await request(world.root, 'POST', '/mcp', {
      headers: { authorization: `Bearer ${await spaceKey()}`, 'content-type': 'application/json' },
      chunks: Array.from({ length: 16 }, () => chunk),
    })
    expect(answer.status).toBe(413)
    expect(answer.body).toMatchObject({ error: { data: { code: 'payload_too_large' } } })
  })
})

test('an answer is kept by nobody, is what it says it is, and tells the calls that are left', async () => {
  for (const era of eras) {
    const client = toolClient(world, '/mcp', await spaceKey(), era)
    const { headers } = await client.send('tools/call', { name: 'get_space' })
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-type': 'application/json',
      'ratelimit-remaining': '999999',
    })
  }
})
