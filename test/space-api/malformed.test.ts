import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { createHttpServer } from '../../server/http/http-server.ts'
import { useTestService } from '../support/test-service.ts'
import { openConnection } from './support/http.ts'

const service = useTestService()

/** Sends the lines as the head of a request and returns the response. */
const send = async (...lines: string[]) => {
  const connection = await openConnection(service.root)
  await connection.write([...lines, 'Connection: close', '', ''].join('\r\n'))
  const [head, body] = (await connection.waitForClose()).split('\r\n\r\n')
  return {
    status: Number(/^HTTP\/1\.1 (\d+)/.exec(head!)?.[1]),
    type: /^content-type: (.*)$/im.exec(head!)?.[1],
    body: JSON.parse(body!) as Record<string, unknown>,
  }
}

describe('a malformed request to the main host', () => {
  test.each([
    ['a malformed request line', ['nonsense'], /not valid HTTP \(.+\)/],
    ['a malformed header', ['GET /v1/me HTTP/1.1', 'Host: localhost', 'Bad Header: x'], /not valid HTTP/],
    ['a target without a slash', ['GET v1/me HTTP/1.1', 'Host: localhost'], /not valid HTTP/],
    [
      'two body lengths',
      ['POST /v1/me HTTP/1.1', 'Host: localhost', 'Content-Length: 1', 'Transfer-Encoding: chunked'],
      /not valid HTTP/,
    ],
    [
      'headers above the limit',
      ['GET /v1/me HTTP/1.1', 'Host: localhost', `X: ${'x'.repeat(20_000)}`],
      /at most 16384 bytes/,
    ],
    ['two hosts', ['GET /v1/me HTTP/1.1', 'Host: localhost', 'Host: localhost'], /more than one Host/],
    ['no host', ['GET /v1/me HTTP/1.1'], /no Host header/],
    ['an absolute-form target without a host', ['GET http:// HTTP/1.1', 'Host: localhost'], /target/],
    ['a target with another scheme', ['GET ftp://localhost/v1/me HTTP/1.1', 'Host: localhost'], /target/],
    ['the method CONNECT', ['CONNECT localhost:80 HTTP/1.1', 'Host: localhost'], /not a proxy/],
  ])('gets a problem if it has %s', async (_, lines, detail) => {
    expect(await send(...lines)).toMatchObject({
      status: 400,
      type: 'application/problem+json; charset=utf-8',
      body: { status: 400, code: 'invalid_json', detail: expect.stringMatching(detail) as string },
    })
  })

  test.each(['/v1/%zz', '/v1/spaces/%zz/pages', '/v1/posts/%'])(
    'gets a problem if it has the path %s',
    async path => {
      expect(await send(`GET ${path} HTTP/1.1`, 'Host: localhost')).toMatchObject({
        status: 404,
        type: 'application/problem+json; charset=utf-8',
        body: { status: 404, code: 'not_found' },
      })
    },
  )
})

/** Sends raw text and returns the whole response. */
const exchange = async (root: string, text: string) => {
  const connection = await openConnection(root)
  await connection.write(text)
  return connection.waitForClose()
}

describe.each(['garden.sites.localhost', 'x.pages.localhost', 'x.files.localhost', 'x.posts.localhost:80'])(
  'a malformed request to %s',
  host => {
    test.each([
      ['a malformed header', `Host: ${host}\r\nBad Header: x`],
      ['two hosts', `Host: ${host}\r\nHost: ${host}`],
      ['headers above the limit', `Host: ${host}\r\nX: ${'x'.repeat(20_000)}`],
    ])('with %s gets an HTML page', async (_, lines) => {
      const response = await exchange(service.root, `GET / HTTP/1.1\r\n${lines}\r\n\r\n`)
      expect(response).toMatch(/^HTTP\/1\.1 400 /)
      expect(response).toMatch(/^content-type: text\/html; charset=utf-8\r$/im)
      expect(response).toMatch(/^content-security-policy: default-src 'none'/im)
      expect(response).toContain('<h1>Malformed request</h1>')
    })
  },
)

test('a request with two Host headers for different facades gets a problem as its response', async () => {
  const response = await exchange(
    service.root,
    'GET / HTTP/1.1\r\nHost: garden.sites.localhost\r\nHost: localhost\r\n\r\n',
  )
  expect(response).toContain('application/problem+json')
})

test('a request that arrives too slowly gets a 408 with an explanation', async () => {
  const server = createHttpServer(() => {}, service.core).listen(0, '127.0.0.1')
  await once(server, 'listening')
  // Emit the event that Node emits if the headers have not arrived in time.
  server.on('connection', socket =>
    server.emit('clientError', Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket),
  )
  const { port } = server.address() as AddressInfo
  const response = await exchange(`http://127.0.0.1:${port}`, 'GET / HTTP/1.1\r\n')
  expect(response).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/)
  expect(response).toMatch(/\r\n\r\nThe request took too long to arrive\.\n$/)
  server.close()
})

test('garbage after a request does not affect the response to that request', async () => {
  const connection = await openConnection(service.root)
  await connection.write('GET /v1/me HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await connection.waitForText('"unauthorized"')
  await connection.write('nonsense\r\n\r\n')
  expect((await connection.waitForClose()).match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 401', 'HTTP/1.1 400'])
})

test('an unknown expectation in an Expect header is ignored', async () => {
  const response = await send('GET /v1/me HTTP/1.1', 'Host: localhost', 'Expect: x')
  expect(response).toMatchObject({ status: 401, body: { code: 'unauthorized' } })
})

describe('an absolute-form target', () => {
  test('gets the same response as its path', async () => {
    const person = await service.signUp()
    const authorization = `Authorization: Bearer ${await person.token('profile')}`
    const response = await send('GET http://localhost/v1/me?x HTTP/1.1', 'Host: localhost', authorization)
    expect(response).toMatchObject({ status: 200, body: { handle: person.handle } })
  })

  test('takes precedence over the Host header', async () => {
    const response = await send('GET http://localhost/v1/me HTTP/1.1', 'Host: garden.sites.localhost')
    expect(response).toMatchObject({ status: 401, body: { code: 'unauthorized' } })
  })
})
