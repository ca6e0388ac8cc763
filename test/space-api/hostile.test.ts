import { beforeAll, describe, expect, it } from 'vitest'
import { SPACE_SCOPES } from '../../routers/core/scopes.ts'
import { type TestSpace, useWorld } from '../support/world.ts'
import { head, request, wire } from './support/http.ts'

const world = useWorld()
let space: TestSpace
let pages: string
let files: string
let auth: Record<string, string>

beforeAll(async () => {
  space = await world.space()
  pages = `/v1/spaces/${space.subdomain}/pages`
  files = `/v1/spaces/${space.subdomain}/files`
  auth = {
    Authorization: `Bearer ${await space.key(...SPACE_SCOPES)}`,
    'Content-Type': 'application/json',
  }
})

const pageCount = async () => ((await space.api.get('/pages')).body.data as unknown[]).length

const MEBIBYTE = Buffer.alloc(1024 * 1024, 'a')

describe('a hostile body', () => {
  it.each([
    ['a slug of 10 MiB', () => `{"slug":"${'a'.repeat(10 * 1024 * 1024)}","html":"x"}`, 413],
    [
      '100,000 brackets in a field',
      () => `{"slug":${'['.repeat(100_000)}${']'.repeat(100_000)},"html":"x"}`,
      422,
    ],
    [
      '100,000 nested objects',
      () => `{"slug":"a","html":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}`,
      422,
    ],
    ['100,000 unclosed brackets', () => `{"slug":${'['.repeat(100_000)}`, 400],
    ['50,000 unknown fields', () => `{${Array.from({ length: 50_000 }, (_, i) => `"f${i}":1`).join()}}`, 422],
    ['numbers beyond doubles', () => '{"slug":1e400,"html":-1e400}', 422],
    ['prototypes', () => '{"__proto__":{"slug":"a","html":"x"},"constructor":{"prototype":{}}}', 422],
    ['a page of 18,000 tags', () => `{"slug":"tags","html":"${'{% render x %}'.repeat(18_000)}"}`, 201],
    ['a page of unclosed tags', () => `{"slug":"open","html":"${'{% if a %}'.repeat(26_000)}"}`, 201],
    ['a page of half delimiters', () => `{"slug":"half","html":"${'{%'.repeat(131_000)}"}`, 201],
  ])('%s gets a response', async (_, body, status) => {
    const answer = await request(world.root, 'POST', pages, { headers: auth, body: body() })
    expect(answer.status).toBe(status)
  })

  it('made of spaces or invalid base64 gets a response', async () => {
    for (const content of [
      ' '.repeat(4_000_000),
      `${'A'.repeat(14_000_000)}*`,
      '='.repeat(4_000_000),
      'A '.repeat(2_000_000),
    ]) {
      const body = JSON.stringify({ name: 'a', content, encoding: 'base64' })
      const answer = await request(world.root, 'POST', files, { headers: auth, body })
      expect([201, 422]).toContain(answer.status)
    }
  })
})

describe('a body with a wrong length', () => {
  it('is rejected when the body is longer; the excess is not treated as a request', async () => {
    const before = await pageCount()
    const line = await wire(world.root)
    await line.write(`${head('POST', pages, { ...auth, 'Content-Length': 10 })}{"slug":"long","html":"x"}`)
    const answers = await line.closed()
    expect(answers.match(/^HTTP\/1\.1 \d+/gm)?.every(status => status.endsWith('400'))).toBe(true)
    expect(await pageCount()).toBe(before)
  })

  it('writes nothing when the connection breaks', async () => {
    const before = await pageCount()
    for (const sent of ['', '{"slug":"cut"', '{"slug":"cut","html":"x"}']) {
      const line = await wire(world.root)
      await line.write(head('POST', pages, { ...auth, 'Content-Length': 1000 }) + sent)
      line.cut()
    }
    for (const sent of ['', '19\r\n{"slug":"cut","html":"x"}\r\n']) {
      const line = await wire(world.root)
      await line.write(head('POST', pages, { ...auth, 'Transfer-Encoding': 'chunked' }) + sent)
      line.cut()
    }
    expect(await pageCount()).toBe(before)
  })

  it.each([
    ['a negative length', { 'Content-Length': -1 }],
    ['a length that is not a number', { 'Content-Length': 'many' }],
    ['a huge length', { 'Content-Length': '9'.repeat(30) }],
    ['a length and chunks', { 'Content-Length': 5, 'Transfer-Encoding': 'chunked' }],
    ['compressed chunks', { 'Transfer-Encoding': 'gzip, chunked' }],
    ['invalid chunks', { 'Transfer-Encoding': 'chunked' }],
  ])('is rejected with %s', async (_, headers) => {
    const line = await wire(world.root)
    await line.write(
      `${head('POST', pages, { ...auth, ...headers })}zz\r\n{"slug":"odd","html":"x"}\r\n0\r\n\r\n`,
    )
    expect(await line.heard('\r\n')).toMatch(/^HTTP\/1\.1 4\d\d/)
    line.cut()
    expect(
      (await space.api.get<{ data: { slug: string }[] }>('/pages')).body.data.map(({ slug }) => slug),
    ).not.toContain('odd')
  })
})

describe('a large body that is rejected before it is read', () => {
  /** Sends everything before it reads the response, as simple clients do. */
  const sendAll = async (path: string, headers: Record<string, string | number>, mebibytes: number) => {
    const line = await wire(world.root)
    await line.write(head('POST', path, headers))
    for (let sent = 0; sent < mebibytes; sent++) await line.write(MEBIBYTE)
    const answer = await line.heard('}')
    return { line, answer }
  }

  it.each([
    ['without a key', () => ({}), 401, 'unauthorized'],
    ['above the limit', () => auth, 413, 'payload_too_large'],
    ['of another type', () => ({ ...auth, 'Content-Type': 'text/plain' }), 415, 'unsupported_media_type'],
  ])('%s gets a response that the client can read', async (_, headers, status, code) => {
    for (const path of [pages, files]) {
      const { line, answer } = await sendAll(
        path,
        { ...headers(), 'Content-Length': 20 * MEBIBYTE.length },
        20,
      )
      expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
      expect(answer).toContain(`"code":"${code}"`)
      line.cut()
    }
  })

  it('gets a response before it has arrived completely', async () => {
    const line = await wire(world.root)
    await line.write(head('POST', pages, { ...auth, 'Content-Length': 50_000_000 }))
    expect(await line.heard('}')).toMatch(/^HTTP\/1\.1 413 /)
    line.cut()
  })

  it('in chunks is cut off at the limit', async () => {
    const line = await wire(world.root)
    await line.write(head('POST', pages, { ...auth, 'Transfer-Encoding': 'chunked' }))
    for (let sent = 0; sent < 4; sent++) {
      await line.write('100000\r\n')
      await line.write(MEBIBYTE)
      await line.write('\r\n')
    }
    expect(await line.heard('}')).toMatch(/^HTTP\/1\.1 413 /)
    line.cut()
  })

  it('leaves the connection usable after the rest was discarded', async () => {
    const { line } = await sendAll(pages, { 'Content-Length': 2 * MEBIBYTE.length }, 2)
    await line.write(head('GET', `/v1/spaces/${space.subdomain}`, auth))
    expect(await line.heard('"rate_limit"')).toContain('HTTP/1.1 200 ')
    line.cut()
  })
})

describe('a request with Expect: 100-continue', () => {
  const body = '{"slug":"asked","html":"x"}'

  it('gets 100 Continue when the body will be read', async () => {
    const line = await wire(world.root)
    await line.write(head('POST', pages, { ...auth, 'Content-Length': body.length, Expect: '100-continue' }))
    await line.heard('HTTP/1.1 100 Continue\r\n\r\n')
    await line.write(body)
    expect(await line.heard('HTTP/1.1 201')).toContain('100 Continue')
    line.cut()
  })

  it.each([
    ['without a key', () => ({ 'Content-Length': 10 }), 401],
    ['with too much', () => ({ ...auth, 'Content-Length': 2_000_000 }), 413],
    ['with another type', () => ({ ...auth, 'Content-Type': 'text/plain', 'Content-Length': 10 }), 415],
  ])('gets its final response immediately %s', async (_, headers, status) => {
    const line = await wire(world.root)
    await line.write(head('POST', pages, { ...headers(), Expect: '100-continue' }))
    expect(await line.heard('}')).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    line.cut()
  })
})

describe('a malformed request', () => {
  it.each([
    'hello\r\n\r\n',
    'GET\r\n\r\n',
    'GET / HTTP/9.9\r\n\r\n',
    '\u0000\u0001\u0002\r\n\r\n',
    '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
    'GET /v1/spaces/x HTTP/1.1\r\n\r\n',
    'GET /v1/spaces/x HTTP/1.1\r\nHost: a\r\nBad Header: x\r\n\r\n',
    'GET /v1/spaces/x HTTP/1.1\r\nHost: a\r\nAuthorization: \u0000\r\n\r\n',
    `GET /v1/spaces/x HTTP/1.1\r\nHost: a\r\nX: ${'a'.repeat(100_000)}\r\n\r\n`,
    `GET /v1/${'a'.repeat(100_000)} HTTP/1.1\r\nHost: a\r\n\r\n`,
  ])('is rejected', async bytes => {
    const line = await wire(world.root)
    await line.write(bytes)
    expect(await line.heard('\r\n')).toMatch(/^HTTP\/1\.1 4\d\d /)
    line.cut()
  })

  it.each([
    ['a malformed host', { Host: '::::' }, 401],
    ['an unknown host', { Host: 'elsewhere.example:99999' }, 401],
    ['two credentials', { Authorization: 'Bearer a, Bearer b' }, 401],
    ['a credential of bytes', { Authorization: 'Bearer \xff\xfe' }, 401],
    ['a credential of 10,000 characters', { Authorization: `Bearer ss_sk_${'a'.repeat(10_000)}` }, 401],
  ])('with only %s gets a normal response', async (_, headers, status) => {
    const answer = await request(world.root, 'GET', `/v1/spaces/${space.subdomain}`, { headers })
    expect(answer.status).toBe(status)
  })
})

it('serves a hundred concurrent callers while a hundred others disconnect', async () => {
  const broken = Array.from({ length: 100 }, async () => {
    const line = await wire(world.root)
    await line.write(head('POST', pages, { ...auth, 'Content-Length': 100_000 }))
    await line.write('{"slug":')
    line.cut()
  })
  const served = Array.from({ length: 100 }, (_, index) =>
    index % 2 === 0
      ? space.api.put(`/data/key-${index % 10}`, { value: index })
      : space.api.post('/parts', { name: `part-${index}`, html: 'x' }),
  )
  await Promise.all(broken)
  const statuses = (await Promise.all(served)).map(({ status }) => status)
  expect(new Set(statuses)).toEqual(new Set([200, 201]))
})

it('none of these tests caused an internal error', async () => {
  expect((await space.api.get('')).status).toBe(200)
  expect(world.log.filter(({ msg, level }) => msg === 'fault' || Number(level) >= 50)).toEqual([])
  expect(world.log.filter(({ status }) => Number(status) >= 500)).toEqual([])
})
