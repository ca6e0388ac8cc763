import { describe, expect, test } from 'vitest'
import { ENVELOPE } from '../../facades/mcp/call.ts'
import { limits } from '../../routers/api/rules.ts'
import { SPACE_SCOPES, USER_SCOPES } from '../../routers/api/scopes.ts'
import { head, openConnection, request } from '../space-api/support/http.ts'
import { useTestService } from '../support/test-service.ts'
import { protocols, toolClient } from './support/tool-client.ts'

const service = useTestService()

const spaceKey = async () => (await service.createSpace()).key(...SPACE_SCOPES)
const token = async () => (await service.signUp()).token(...USER_SCOPES)
const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }

/** Sends a POST as a client of the handshake protocol does. */
const post = (secret: string | undefined, body: unknown, headers: Record<string, string> = {}) =>
  request(service.root, 'POST', '/mcp', {
    headers: {
      'content-type': 'application/json',
      ...(secret === undefined ? {} : { authorization: `Bearer ${secret}` }),
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

describe.each(['/mcp', '/user-mcp'])('%s', path => {
  test.each(['GET', 'DELETE', 'PUT', 'PATCH', 'OPTIONS', 'HEAD'])(
    'answers %s with 405 and Allow: POST',
    async method => {
      const response = await request(service.root, method, path)
      expect(response.status).toBe(405)
      expect(response.headers.allow).toBe('POST')
    },
  )

  test('answers an unauthenticated caller with 401, a challenge and the error body that REST returns', async () => {
    const response = await request(service.root, 'POST', path, {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(ping),
    })
    expect(response.status).toBe(401)
    expect(response.headers['www-authenticate']).toMatch(/^Bearer/)
    expect(response.headers['content-type']).toBe('application/json')
    const rest = await service.rest().get('/me')
    expect(response.body).toMatchObject({
      jsonrpc: '2.0',
      id: null,
      error: { code: -32_000, data: rest.body },
    })
  })

  test.each(['initialize', 'ping', 'tools/list', 'server/discover'])(
    'answers an unauthenticated %s with 401',
    async method => {
      const response = await request(service.root, 'POST', path, {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...ping, method }),
      })
      expect(response.status).toBe(401)
    },
  )

  test('gives the correct address to a client that adds a trailing slash', async () => {
    const response = await request(service.root, 'POST', `${path}/`, {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(ping),
    })
    expect(response.status).toBe(404)
    expect(response.body).toMatchObject({
      jsonrpc: '2.0',
      id: null,
      error: {
        message: `The tool server is at http://localhost${path}, without a trailing slash.`,
        data: { code: 'not_found' },
      },
    })
  })

  test('returns 404 for GET of its path in upper case or with a trailing slash', async () => {
    for (const other of [`${path}/`, path.toUpperCase()])
      expect((await request(service.root, 'GET', other)).status).toBe(404)
  })
})

test('/user-mcp rejects keys and /mcp rejects tokens', async () => {
  const key = toolClient(service, '/user-mcp', await spaceKey(), '2025-11-25')
  expect((await key.send('ping')).status).toBe(401)
  const person = toolClient(service, '/mcp', await token(), '2025-11-25')
  expect((await person.send('ping')).status).toBe(401)
})

describe('a request from a browser', () => {
  const ORIGINS = ['http://evil.example', 'http://garden.sites.localhost', 'null', 'http://localhost:81']

  test.each(ORIGINS)('with the origin %s is refused if it sends a key that a person issued', async origin => {
    const response = await post(await spaceKey(), ping, { origin })
    expect(response.status).toBe(403)
    expect(response.body).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32_000 } })
  })

  test.each(ORIGINS)(
    'with the origin %s and without a credential gets a 401 with a challenge that scripts can read',
    async origin => {
      const response = await post(undefined, ping, { origin })
      expect(response.status).toBe(401)
      expect(response.headers['access-control-allow-origin']).toBe('*')
      expect(response.headers['access-control-expose-headers']).toContain('WWW-Authenticate')
    },
  )

  test('gets the allowed headers in the response to its preflight request', async () => {
    const { status, headers } = await request(service.root, 'OPTIONS', '/mcp', {
      headers: { origin: 'https://agent.example', 'access-control-request-method': 'POST' },
    })
    expect(status).toBe(204)
    expect(headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': '*, Authorization',
    })
    expect(headers).not.toHaveProperty('access-control-allow-credentials')
  })

  test('with the origin of the main site is accepted', async () => {
    const response = await post(await spaceKey(), ping, { origin: 'http://localhost' })
    expect(response.body).toEqual({ jsonrpc: '2.0', id: 1, result: {} })
    expect(response.headers).not.toHaveProperty('access-control-allow-origin')
  })
})

describe('a body', () => {
  const refusals: [string, unknown, number, number][] = [
    ['is not JSON', '{', 400, -32_700],
    ['is empty', '', 400, -32_700],
    ['is a batch', [ping, ping], 400, -32_600],
    ['is an empty batch', [], 400, -32_600],
    ['is a batch of one', [ping], 400, -32_600],
    ['is a number', 5, 400, -32_600],
    ['has another JSON-RPC version', { ...ping, jsonrpc: '1.0' }, 400, -32_600],
    ['has no method', { jsonrpc: '2.0', id: 1 }, 400, -32_600],
    ['has the id null', { ...ping, id: null }, 400, -32_600],
    ['has a fraction as id', { ...ping, id: 1.5 }, 400, -32_600],
    ['has an id that is not exact', { ...ping, id: 2 ** 53 }, 400, -32_600],
    ['has a list as params', { ...ping, params: [] }, 400, -32_602],
    ['has a malformed progress token', { ...ping, params: { _meta: { progressToken: {} } } }, 400, -32_600],
  ]
  test.each(refusals)('is refused if it %s', async (_title, body, status, code) => {
    const response = await post(await spaceKey(), body)
    expect(response.status).toBe(status)
    expect(response.body).toMatchObject({ jsonrpc: '2.0', error: { code, message: expect.any(String) } })
  })

  test('is refused with 415 if its content type is not JSON', async () => {
    const response = await post(await spaceKey(), ping, { 'content-type': 'text/plain' })
    expect(response.status).toBe(415)
    expect(response.body).toMatchObject({ error: { data: { code: 'unsupported_media_type' } } })
  })

  test.each([
    ['text/event-stream', 406],
    ['application/json;q=0, */*', 406],
    ['application/*', 200],
    ['application/JSON', 200],
    ['', 200],
  ])('gets 406 only if the client does not accept JSON: Accept "%s" gets %i', async (accept, status) => {
    expect((await post(await spaceKey(), ping, { accept })).status).toBe(status)
  })

  test('is refused if its params are invalid, and the error has the id of the request', async () => {
    const response = await post(await spaceKey(), { ...ping, params: [] })
    expect(response.body).toMatchObject({ id: 1, error: { code: -32_602 } })
  })

  test('is accepted if its params are null', async () => {
    const response = await post(await spaceKey(), { ...ping, params: null })
    expect(response.body).toEqual({ jsonrpc: '2.0', id: 1, result: {} })
  })

  test('is accepted if it has an unknown field', async () => {
    const response = await post(await spaceKey(), { ...ping, extra: true })
    expect(response.body).toEqual({ jsonrpc: '2.0', id: 1, result: {} })
  })

  test.each([
    ['a notification', { jsonrpc: '2.0', method: 'notifications/initialized' }],
    ['a cancellation', { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }],
    ['an unexpected response', { jsonrpc: '2.0', id: 1, result: {} }],
  ])('gets an empty 202 if it is %s', async (_title, body) => {
    const response = await post(await spaceKey(), body)
    expect(response).toMatchObject({ status: 202, text: '' })
  })
})

describe('a large body', () => {
  /** Size of a body larger than any tool accepts, in bytes. */
  const tooLarge = limits.fileBody + 3 * ENVELOPE

  test('is refused before any of it is sent if the caller is unauthenticated', async () => {
    const connection = await openConnection(service.root)
    await connection.write(
      head('POST', '/mcp', { 'Content-Type': 'application/json', 'Content-Length': tooLarge }),
    )
    expect(await connection.waitForText('"unauthorized"')).toContain('HTTP/1.1 401')
    connection.destroy()
  })

  test('is refused because of its Content-Length if it is larger than any tool accepts', async () => {
    const connection = await openConnection(service.root)
    await connection.write(
      head('POST', '/mcp', {
        Authorization: `Bearer ${await spaceKey()}`,
        'Content-Type': 'application/json',
        'Content-Length': tooLarge,
      }),
    )
    expect(await connection.waitForText('"payload_too_large"')).toContain('HTTP/1.1 413')
    connection.destroy()
  })

  test('is cut off at the size limit if its length is unknown', async () => {
    const chunk = Buffer.alloc(1_048_576, ' ')
    const response = await request(service.root, 'POST', '/mcp', {
      headers: { authorization: `Bearer ${await spaceKey()}`, 'content-type': 'application/json' },
      chunks: Array.from({ length: 16 }, () => chunk),
    })
    expect(response.status).toBe(413)
    expect(response.body).toMatchObject({ error: { data: { code: 'payload_too_large' } } })
  })
})

test('the headers of a response forbid caching and content sniffing, and report the remaining calls', async () => {
  for (const protocol of protocols) {
    const client = toolClient(service, '/mcp', await spaceKey(), protocol)
    const { headers } = await client.send('tools/call', { name: 'get_space' })
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-type': 'application/json',
      'ratelimit-remaining': '999999',
    })
  }
})
