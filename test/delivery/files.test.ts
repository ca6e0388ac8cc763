import { randomBytes } from 'node:crypto'
import { type IncomingMessage, request } from 'node:http'
import { beforeEach, describe, expect, it } from 'vitest'
import { policyOf, requestHost } from '../support/request-host.ts'
import { useTestService } from '../support/test-service.ts'
import { newSite, type TestSite } from './support/site.ts'

const service = useTestService()
let site: TestSite

beforeEach(async () => {
  site = await newSite(service)
})

/** Requests a file without reading the body. */
const begin = ({ id }: { id: string }): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const headers = { host: `${id}.files.localhost` }
    request({ host: '127.0.0.1', port: service.port, headers, agent: false }, resolve)
      .on('error', reject)
      .end()
  })

const TYPES = [
  ['a.png', 'image/png', 'inline'],
  ['a.svg', 'image/svg+xml', 'inline'],
  ['a.mp4', 'video/mp4', 'inline'],
  ['a.mp3', 'audio/mpeg', 'inline'],
  ['a.pdf', 'application/pdf', 'inline'],
  ['a.txt', 'text/plain; charset=utf-8', 'inline'],
  ['a.md', 'text/markdown; charset=utf-8', 'inline'],
  ['a.css', 'text/css; charset=utf-8', 'inline'],
  ['a.csv', 'text/csv; charset=utf-8', 'inline'],
  ['a.vtt', 'text/vtt; charset=utf-8', 'inline'],
  ['a.json', 'application/json; charset=utf-8', 'inline'],
  ['a.geojson', 'application/geo+json; charset=utf-8', 'inline'],
  ['a.woff2', 'font/woff2', 'inline'],
  ['a.eot', 'application/vnd.ms-fontobject', 'inline'],
  ['a.html', 'text/html; charset=utf-8', 'attachment'],
  ['a.xhtml', 'application/xhtml+xml', 'attachment'],
  ['a.js', 'text/javascript; charset=utf-8', 'attachment'],
  ['a.mjs', 'text/javascript; charset=utf-8', 'attachment'],
  ['a.xml', 'application/xml', 'attachment'],
  ['a.zip', 'application/zip', 'attachment'],
  ['a.exe', 'application/octet-stream', 'attachment'],
  ['a.unknown', 'application/octet-stream', 'attachment'],
  ['noextension', 'application/octet-stream', 'attachment'],
] as const

describe('a file', () => {
  it.each(TYPES)('%s is served as %s, %s', async (name, type, disposition) => {
    const file = await site.file(name, '<b>content</b>')
    const { status, headers, text } = await site.openFile(file)
    expect(status).toBe(200)
    expect(text).toBe('<b>content</b>')
    expect(headers['content-type']).toBe(type)
    expect(headers['content-disposition']).toBe(`${disposition}; filename="${name}"`)
  })

  it('may be cached for five minutes and loaded by any page, but cannot run scripts', async () => {
    const file = await site.file('a.svg', '<svg onload="alert(1)"/>')
    const response = await site.openFile(file)
    expect(response.headers).toMatchObject({
      'cache-control': 'public, max-age=300',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
      'accept-ranges': 'bytes',
    })
    expect(policyOf(response)).toMatchObject({ 'default-src': "'none'", 'script-src': "'none'", sandbox: '' })
  })

  it('gets the type and disposition of a new name immediately', async () => {
    const file = await site.file('a.txt', 'text')
    const { headers } = await site.openFile(file)
    await site.space.api.patch(`/files/${file.id}`, { name: 'a.html' })
    const renamed = await site.openFile(file, { headers: { 'if-none-match': String(headers.etag) } })
    expect(renamed.status).toBe(200)
    expect(renamed.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(renamed.headers['content-disposition']).toBe('attachment; filename="a.html"')
  })

  it('returns 404 immediately after its deletion, even to a client that has it cached', async () => {
    const file = await site.file('a.txt', 'text')
    const { headers } = await site.openFile(file)
    await site.space.api.delete(`/files/${file.id}`)
    const gone = await site.openFile(file, { headers: { 'if-none-match': String(headers.etag) } })
    expect(gone.status).toBe(404)
    expect(gone.headers['cache-control']).toBe('no-store')
  })

  it('is the only resource on its origin', async () => {
    const file = await site.file('a.txt', 'text')
    for (const path of ['/a.txt', '/favicon.ico', '/index.html', '//'])
      expect((await requestHost(service, `${file.id}.files.localhost`, path)).status).toBe(404)
    expect((await requestHost(service, `${file.id}.files.localhost`, '/?download')).status).toBe(200)
  })

  it('is delivered completely at the maximum size, even to concurrent readers', async () => {
    const bytes = randomBytes(10_485_760)
    const file = await site.file('big.bin', bytes)
    const responses = await Promise.all([1, 2, 3, 4].map(() => site.openFile(file)))
    for (const response of responses) {
      expect(response.headers['content-length']).toBe('10485760')
      expect(response.bytes.equals(bytes)).toBe(true)
    }
  })

  it.each([
    [131_071, 'just under the chunk size'],
    [131_072, 'exactly the chunk size'],
    [131_073, 'just over the chunk size'],
    [262_144, 'twice the chunk size'],
    [1, 'a single byte'],
  ])('is delivered completely if it has %i bytes (%s)', async size => {
    const bytes = randomBytes(size)
    const file = await site.file('a.bin', bytes)
    expect((await site.openFile(file)).bytes.equals(bytes)).toBe(true)
  })
})

describe('a file that is replaced or deleted while it is being read', () => {
  it.each([
    ['replaced', (path: string) => site.space.api.patch(path, { content: 'short', encoding: 'text' })],
    ['deleted', (path: string) => site.space.api.delete(path)],
  ])('is cut off when it is %s, and chunks of two versions are never mixed', async (_, change) => {
    const bytes = Buffer.alloc(10_485_760, 'a')
    const file = await site.file('big.bin', bytes)
    const response = await begin(file)
    // The test has not read the body yet, so the service has not sent most of it when the file changes.
    await change(`/files/${file.id}`)
    const chunks: Buffer[] = []
    response.on('data', (chunk: Buffer) => chunks.push(chunk))
    await new Promise(resolve => response.on('error', () => {}).on('close', resolve))
    const received = Buffer.concat(chunks)
    expect(response.complete).toBe(false)
    expect(received.length).toBeGreaterThan(0)
    expect(received.length).toBeLessThan(bytes.length)
    expect(received.equals(bytes.subarray(0, received.length))).toBe(true)
    expect(service.log.filter(({ msg }) => msg === 'fault')).toEqual([])
  })
})

describe('a conditional request', () => {
  it.each([
    ['the ETag of the file', (etag: string) => ({ 'if-none-match': etag })],
    ['the ETag of the file among others', (etag: string) => ({ 'if-none-match': `"x", ${etag}` })],
    ['the ETag of the file marked as weak', (etag: string) => ({ 'if-none-match': `W/${etag}` })],
    ['*', () => ({ 'if-none-match': '*' })],
    ['the date of the file', (_: string, date: string) => ({ 'if-modified-since': date })],
    [
      'the ETag of the file and an old date',
      (etag: string) => ({ 'if-none-match': etag, 'if-modified-since': EARLIER }),
    ],
  ])('gets a 304 if the request has %s', async (_, headersFor) => {
    const file = await site.file('a.txt', 'text')
    const { headers } = await site.openFile(file)
    const etag = String(headers.etag)
    const again = await site.openFile(file, { headers: headersFor(etag, String(headers['last-modified'])) })
    expect([again.status, again.text]).toEqual([304, ''])
    expect(again.headers).toMatchObject({ etag, 'cache-control': 'public, max-age=300' })
  })

  const EARLIER = 'Sat, 01 Jan 2000 00:00:00 GMT'
  it.each([
    ['another ETag', { 'if-none-match': '"x"' }],
    ['an earlier date', { 'if-modified-since': EARLIER }],
    [
      'another ETag and a later date',
      { 'if-none-match': '"x"', 'if-modified-since': 'Sat, 01 Jan 2050 00:00:00 GMT' },
    ],
    ['an invalid date', { 'if-modified-since': 'yesterday' }],
  ])('gets the file if the request has %s', async (_, headers) => {
    const file = await site.file('a.txt', 'text')
    expect((await site.openFile(file, { headers })).text).toBe('text')
  })

  it('gets the new content with another ETag after a change', async () => {
    const file = await site.file('a.txt', 'one')
    const before = await site.openFile(file)
    await site.space.api.patch(`/files/${file.id}`, { content: 'two', encoding: 'text' })
    const after = await site.openFile(file, { headers: { 'if-none-match': String(before.headers.etag) } })
    expect([after.status, after.text]).toEqual([200, 'two'])
    expect(after.headers.etag).toMatch(/^"[\w-]+"$/)
    expect(after.headers.etag).not.toBe(before.headers.etag)
  })
})
