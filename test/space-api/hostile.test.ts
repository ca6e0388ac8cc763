import { beforeAll, describe, expect, it } from 'vitest'
import { SPACE_SCOPES } from '../../routers/api/scopes.ts'
import { type TestSpace, useTestService } from '../support/test-service.ts'
import { head, openConnection, request } from './support/http.ts'

const service = useTestService()
let space: TestSpace
let pages: string
let files: string
let auth: Record<string, string>

beforeAll(async () => {
  space = await service.createSpace()
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
      '100,000 nested arrays in a field',
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
    ['numbers beyond the range of doubles', () => '{"slug":1e400,"html":-1e400}', 422],
    ['prototypes', () => '{"__proto__":{"slug":"a","html":"x"},"constructor":{"prototype":{}}}', 422],
    ['a page of 18,000 tags', () => `{"slug":"tags","html":"${'{% render x %}'.repeat(18_000)}"}`, 201],
    ['a page of unclosed tags', () => `{"slug":"open","html":"${'{% if a %}'.repeat(26_000)}"}`, 201],
    ['a page of half delimiters', () => `{"slug":"half","html":"${'{%'.repeat(131_000)}"}`, 201],
  ])('gets a response: %s', async (_, body, status) => {
    const response = await request(service.root, 'POST', pages, { headers: auth, body: body() })
    expect(response.status).toBe(status)
  })

  it('gets a response if its file is only white space or invalid base64', async () => {
    for (const content of [
      ' '.repeat(4_000_000),
      `${'A'.repeat(14_000_000)}*`,
      '='.repeat(4_000_000),
      'A '.repeat(2_000_000),
    ]) {
      const body = JSON.stringify({ name: 'a', content, encoding: 'base64' })
      const response = await request(service.root, 'POST', files, { headers: auth, body })
      expect([201, 422]).toContain(response.status)
    }
  })
})

describe('a body with a wrong length', () => {
  it('is rejected if it is longer than declared, and the excess is not read as another request', async () => {
    const before = await pageCount()
    const connection = await openConnection(service.root)
    await connection.write(
      `${head('POST', pages, { ...auth, 'Content-Length': 10 })}{"slug":"long","html":"x"}`,
    )
    const responses = await connection.waitForClose()
    expect(responses.match(/^HTTP\/1\.1 \d+/gm)?.every(status => status.endsWith('400'))).toBe(true)
    expect(await pageCount()).toBe(before)
  })

  it('writes nothing if the connection breaks before the declared length', async () => {
    const before = await pageCount()
    for (const sent of ['', '{"slug":"cut"', '{"slug":"cut","html":"x"}']) {
      const connection = await openConnection(service.root)
      await connection.write(head('POST', pages, { ...auth, 'Content-Length': 1000 }) + sent)
      connection.destroy()
    }
    for (const sent of ['', '19\r\n{"slug":"cut","html":"x"}\r\n']) {
      const connection = await openConnection(service.root)
      await connection.write(head('POST', pages, { ...auth, 'Transfer-Encoding': 'chunked' }) + sent)
      connection.destroy()
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
    const connection = await openConnection(service.root)
    await connection.write(
      `${head('POST', pages, { ...auth, ...headers })}zz\r\n{"slug":"odd","html":"x"}\r\n0\r\n\r\n`,
    )
    expect(await connection.waitForText('\r\n')).toMatch(/^HTTP\/1\.1 4\d\d/)
    connection.destroy()
    expect(
      (await space.api.get<{ data: { slug: string }[] }>('/pages')).body.data.map(({ slug }) => slug),
    ).not.toContain('odd')
  })
})

describe('a large body that is rejected before all of it is read', () => {
  /** Sends the whole body before reading the response, as simple clients do. */
  const sendAll = async (path: string, headers: Record<string, string | number>, mebibytes: number) => {
    const connection = await openConnection(service.root)
    await connection.write(head('POST', path, headers))
    for (let sent = 0; sent < mebibytes; sent++) await connection.write(MEBIBYTE)
    const response = await connection.waitForText('}')
    return { connection, response }
  }

  it.each([
    ['it has no key', () => ({}), 401, 'unauthorized'],
    ['it is above the limit', () => auth, 413, 'payload_too_large'],
    ['it has another type', () => ({ ...auth, 'Content-Type': 'text/plain' }), 415, 'unsupported_media_type'],
  ])('gets a response that the client can read if %s', async (_, headers, status, code) => {
    for (const path of [pages, files]) {
      const { connection, response } = await sendAll(
        path,
        { ...headers(), 'Content-Length': 20 * MEBIBYTE.length },
        20,
      )
      expect(response).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
      expect(response).toContain(`"code":"${code}"`)
      connection.destroy()
    }
  })

  it('gets a response before all of it is sent', async () => {
    const connection = await openConnection(service.root)
    await connection.write(head('POST', pages, { ...auth, 'Content-Length': 50_000_000 }))
    expect(await connection.waitForText('}')).toMatch(/^HTTP\/1\.1 413 /)
    connection.destroy()
  })

  it('gets a response before all of it is sent, even if it is sent in chunks without a declared length', async () => {
    const connection = await openConnection(service.root)
    await connection.write(head('POST', pages, { ...auth, 'Transfer-Encoding': 'chunked' }))
    for (let sent = 0; sent < 4; sent++) {
      await connection.write('100000\r\n')
      await connection.write(MEBIBYTE)
      await connection.write('\r\n')
    }
    expect(await connection.waitForText('}')).toMatch(/^HTTP\/1\.1 413 /)
    connection.destroy()
  })

  it('leaves the connection usable after the service has discarded the body', async () => {
    const { connection } = await sendAll(pages, { 'Content-Length': 2 * MEBIBYTE.length }, 2)
    await connection.write(head('GET', `/v1/spaces/${space.subdomain}`, auth))
    expect(await connection.waitForText('"rate_limit"')).toContain('HTTP/1.1 200 ')
    connection.destroy()
  })
})

describe('a request with Expect: 100-continue', () => {
  const body = '{"slug":"asked","html":"x"}'

  it('gets 100 Continue if the service is going to read the body', async () => {
    const connection = await openConnection(service.root)
    await connection.write(
      head('POST', pages, { ...auth, 'Content-Length': body.length, Expect: '100-continue' }),
    )
    await connection.waitForText('HTTP/1.1 100 Continue\r\n\r\n')
    await connection.write(body)
    expect(await connection.waitForText('HTTP/1.1 201')).toContain('100 Continue')
    connection.destroy()
  })

  it.each([
    ['without a key', () => ({ 'Content-Length': 10 }), 401],
    ['with a body that is too large', () => ({ ...auth, 'Content-Length': 2_000_000 }), 413],
    [
      'with another content type',
      () => ({ ...auth, 'Content-Type': 'text/plain', 'Content-Length': 10 }),
      415,
    ],
  ])('gets an error and no 100 Continue if the client sends the request %s', async (_, headers, status) => {
    const connection = await openConnection(service.root)
    await connection.write(head('POST', pages, { ...headers(), Expect: '100-continue' }))
    expect(await connection.waitForText('}')).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    connection.destroy()
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
    const connection = await openConnection(service.root)
    await connection.write(bytes)
    expect(await connection.waitForText('\r\n')).toMatch(/^HTTP\/1\.1 4\d\d /)
    connection.destroy()
  })

  it.each([
    ['a malformed host', { Host: '::::' }, 401],
    ['an unknown host', { Host: 'elsewhere.example:99999' }, 401],
    ['two credentials', { Authorization: 'Bearer a, Bearer b' }, 401],
    ['a credential that is not ASCII', { Authorization: 'Bearer \xff\xfe' }, 401],
    ['a credential of 10,000 characters', { Authorization: `Bearer ss_sk_${'a'.repeat(10_000)}` }, 401],
  ])('gets a normal response if its only fault is %s', async (_, headers, status) => {
    const response = await request(service.root, 'GET', `/v1/spaces/${space.subdomain}`, { headers })
    expect(response.status).toBe(status)
  })
})

it('a hundred concurrent callers get their responses while a hundred others disconnect', async () => {
  const broken = Array.from({ length: 100 }, async () => {
    const connection = await openConnection(service.root)
    await connection.write(head('POST', pages, { ...auth, 'Content-Length': 100_000 }))
    await connection.write('{"slug":')
    connection.destroy()
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
  expect(service.log.filter(({ msg, level }) => msg === 'fault' || Number(level) >= 50)).toEqual([])
  expect(service.log.filter(({ status }) => Number(status) >= 500)).toEqual([])
})
