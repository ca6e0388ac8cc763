import { describe, expect, test } from 'vitest'
import { useWorld } from '../support/world.ts'
import { wire } from './support/http.ts'

const world = useWorld()

/** Sends raw lines as a request head and returns the response. */
const send = async (...lines: string[]) => {
  const line = await wire(world.root)
  await line.write([...lines, 'Connection: close', '', ''].join('\r\n'))
  const [head, body] = (await line.closed()).split('\r\n\r\n')
  return {
    status: Number(/^HTTP\/1\.1 (\d+)/.exec(head!)?.[1]),
    type: /^content-type: (.*)$/im.exec(head!)?.[1],
    body: JSON.parse(body!) as Record<string, unknown>,
  }
}

describe('a malformed request gets a problem', () => {
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
  ])('for %s', async (_, lines, detail) => {
    expect(await send(...lines)).toMatchObject({
      status: 400,
      type: 'application/problem+json; charset=utf-8',
      body: { status: 400, code: 'invalid_json', detail: expect.stringMatching(detail) as string },
    })
  })

  test.each(['/v1/%zz', '/v1/spaces/%zz/pages', '/v1/posts/%'])('for the path %s', async path => {
    expect(await send(`GET ${path} HTTP/1.1`, 'Host: localhost')).toMatchObject({
      status: 404,
      type: 'application/problem+json; charset=utf-8',
      body: { status: 404, code: 'not_found' },
    })
  })
})

test('garbage after a request does not affect the response', async () => {
  const line = await wire(world.root)
  await line.write('GET /v1/me HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await line.heard('"unauthorized"')
  await line.write('nonsense\r\n\r\n')
  expect((await line.closed()).match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 401', 'HTTP/1.1 400'])
})

test('an unknown expectation is ignored', async () => {
  const response = await send('GET /v1/me HTTP/1.1', 'Host: localhost', 'Expect: x')
  expect(response).toMatchObject({ status: 401, body: { code: 'unauthorized' } })
})

describe('an absolute-form target', () => {
  test('gets the same response as its path', async () => {
    const person = await world.person()
    const authorization = `Authorization: Bearer ${await person.token('profile')}`
    const response = await send('GET http://localhost/v1/me?x HTTP/1.1', 'Host: localhost', authorization)
    expect(response).toMatchObject({ status: 200, body: { handle: person.handle } })
  })

  test('takes precedence over the Host header', async () => {
    const response = await send('GET http://localhost/v1/me HTTP/1.1', 'Host: garden.sites.localhost')
    expect(response).toMatchObject({ status: 401, body: { code: 'unauthorized' } })
  })
})
