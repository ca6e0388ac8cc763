import { randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it, test } from 'vitest'
import { requestHost } from '../support/request-host.ts'
import { useTestService } from '../support/test-service.ts'
import { newSite, type TestSite } from './support/site.ts'

const service = useTestService()
let host: string

beforeAll(async () => {
  const space = await service.createSpace()
  host = `${space.subdomain}.sites.localhost`
  await space.api.post('/pages', { slug: 'long', kind: 'static', html: `<p>${'word '.repeat(1_000)}</p>` })
  await space.api.post('/pages', { slug: 'short', kind: 'static', html: '<p>word</p>' })
})

const open = (path: string, accepted: string, more: Record<string, string> = {}, at = host) =>
  requestHost(service, at, path, { headers: { 'accept-encoding': accepted, ...more } })

describe('a text response', () => {
  test.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ])('is compressed with %s', async (encoding, decompress) => {
    const plain = await open('/long', 'identity')
    const packed = await open('/long', encoding)
    expect(packed.headers).toMatchObject({
      'content-encoding': encoding,
      vary: 'Accept-Encoding',
      'cache-control': 'no-store',
    })
    expect(decompress(packed.bytes).toString()).toBe(plain.text)
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 4)
  })

  test('is sent uncompressed if it is short', async () => {
    const { headers, text } = await open('/short', 'br, gzip')
    expect(headers['content-encoding']).toBeUndefined()
    expect(text).toContain('<p>word</p>')
  })

  test('is compressed with brotli if the client accepts brotli and gzip, and sent uncompressed if it accepts neither', async () => {
    expect((await open('/long', 'gzip, deflate, br')).headers['content-encoding']).toBe('br')
    expect((await open('/long', 'deflate')).headers['content-encoding']).toBeUndefined()
  })

  test.each(['br', 'gzip', 'identity'])(
    'on the main site has an ETag for the encoding %s, and is not sent again to a client that sends this ETag',
    async encoding => {
      const first = await open('/', encoding, {}, 'localhost')
      const again = await open('/', encoding, { 'if-none-match': String(first.headers.etag) }, 'localhost')
      expect([first.status, again.status, again.bytes.length]).toEqual([200, 304, 0])
      expect(again.headers.etag).toBe(first.headers.etag)
    },
  )
})

/** Requests a file, and closes the connection as soon as the first bytes of the response arrive. */
const leaveAfterFirstPiece = (to: string, headers: Record<string, string>) =>
  new Promise<void>((resolve, reject) => {
    const sent = request(
      { port: service.port, headers: { ...headers, host: to }, agent: false },
      response => {
        response.on('error', () => {})
        response.once('data', () => sent.destroy())
        response.once('close', () => resolve())
      },
    )
    sent.on('error', reject)
    sent.end()
  })

describe('a text file', () => {
  const DECODE = { br: brotliDecompressSync, gzip: gunzipSync }
  const SIZES = [
    ['small', 60_000],
    ['long enough for several chunks', 600_000],
  ] as const
  let site: TestSite
  beforeAll(async () => {
    site = await newSite(service)
  })
  const text = (size: number) => 'body { color: red } '.repeat(size / 20)

  describe.each(SIZES)('(%s)', (_, size) => {
    it.each(['br', 'gzip'] as const)(
      'is compressed with %s, for the first request and for later ones',
      async encoding => {
        const file = await site.file('a.css', text(size))
        for (let time = 1; time <= 2; time++) {
          const answer = await site.openFile(file, { headers: { 'accept-encoding': encoding } })
          expect(answer.headers).toMatchObject({
            'content-encoding': encoding,
            vary: 'Accept-Encoding',
            'cache-control': 'public, max-age=300',
            'content-type': 'text/css; charset=utf-8',
          })
          expect(DECODE[encoding](answer.bytes).toString()).toBe(text(size))
          expect(answer.bytes.length).toBeLessThan(size / 20)
        }
      },
    )

    it('has a different ETag for each encoding, and is not sent again to a client that sends the ETag', async () => {
      const file = await site.file('a.css', text(size))
      const tags = new Set<string>()
      for (const accepted of ['br', 'gzip', 'identity']) {
        const first = await site.openFile(file, { headers: { 'accept-encoding': accepted } })
        const etag = String(first.headers.etag)
        tags.add(etag)
        const again = await site.openFile(file, {
          headers: { 'accept-encoding': accepted, 'if-none-match': etag },
        })
        expect([again.status, again.bytes.length, again.headers.vary]).toEqual([304, 0, 'Accept-Encoding'])
      }
      expect(tags.size).toBe(3)
    })

    it('is sent uncompressed if a range of it is requested', async () => {
      const file = await site.file('a.css', text(size))
      const plain = await site.openFile(file)
      for (const [range, from, to] of [
        ['bytes=5-24', 5, 24],
        [`bytes=-7`, size - 7, size - 1],
        [`bytes=${size / 2}-`, size / 2, size - 1],
      ] as const) {
        const answer = await site.openFile(file, {
          headers: { range, 'accept-encoding': 'br, gzip', 'if-range': String(plain.headers.etag) },
        })
        expect(answer.status).toBe(206)
        expect(answer.headers['content-encoding']).toBeUndefined()
        expect(answer.headers['content-range']).toBe(`bytes ${from}-${to}/${plain.bytes.length}`)
        expect(answer.text).toBe(plain.text.slice(from, to + 1))
      }
    })

    it('is sent whole to a client that has the start of the compressed file and requests the rest', async () => {
      const file = await site.file('a.css', text(size))
      const packed = await site.openFile(file, { headers: { 'accept-encoding': 'br' } })
      const answer = await site.openFile(file, {
        headers: { range: 'bytes=5-', 'if-range': String(packed.headers.etag), 'accept-encoding': 'br' },
      })
      expect([answer.status, answer.text]).toEqual([200, text(size)])
    })

    it('is sent whole after an earlier reader left in the middle', async () => {
      // Text that hardly gets shorter, so that the service sends it in many pieces.
      const content = randomBytes(size / 2).toString('hex')
      const file = await site.file('a.css', content)
      const headers = { 'accept-encoding': 'gzip' }
      await leaveAfterFirstPiece(`${file.id}.files.localhost`, headers)
      for (let time = 1; time <= 3; time++) {
        const answer = await site.openFile(file, { headers })
        expect(gunzipSync(answer.bytes).toString() === content).toBe(true)
      }
    })

    it('is compressed again after a change', async () => {
      const file = await site.file('a.css', text(size))
      const options = { headers: { 'accept-encoding': 'br' } }
      await site.openFile(file, options)
      await site.space.api.patch(`/files/${file.id}`, { content: 'p '.repeat(size / 2), encoding: 'text' })
      const answer = await site.openFile(file, options)
      expect(brotliDecompressSync(answer.bytes).toString()).toBe('p '.repeat(size / 2))
    })
  })

  it('has the same headers in the response to HEAD as in the response to GET', async () => {
    const file = await site.file('a.css', text(64 * 1024))
    const headers = { 'accept-encoding': 'br' }
    const head = await site.openFile(file, { method: 'HEAD', headers })
    const whole = await site.openFile(file, { headers })
    expect(head.bytes.length).toBe(0)
    for (const name of ['etag', 'content-encoding', 'content-length', 'vary'])
      expect(head.headers[name]).toBe(whole.headers[name])
  })

  it.each([
    ['a.css', 'p {}'],
    ['a.png', text(4096)],
  ])('is not compressed if that would not make it smaller: %s, %s', async (name, content) => {
    const file = await site.file(name, Buffer.from(content))
    const { headers } = await site.openFile(file, { headers: { 'accept-encoding': 'br' } })
    expect(headers['content-encoding']).toBeUndefined()
    expect(headers['content-length']).toBe(String(content.length))
  })
})

describe('a response of the APIs', () => {
  const long = { name: 'long', html: '<p>text</p>'.repeat(500) }
  let space: Awaited<ReturnType<typeof service.createSpace>>
  let id: string
  let key: string

  beforeAll(async () => {
    space = await service.createSpace()
    key = await space.key('pages')
    id = (await space.api.post<{ id: string }>('/parts', long)).body.id
  })

  const call = (method: string, path: string, body = '') =>
    requestHost(service, 'localhost', path, {
      method,
      body,
      headers: {
        authorization: `Bearer ${key}`,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        'accept-encoding': 'br, gzip',
      },
    })
  const part = () => `/v1/spaces/${space.subdomain}/parts/${id}`

  it('is compressed if it answers a read over REST, and keeps its ETag', async () => {
    const answer = await call('GET', part())
    expect(answer.headers).toMatchObject({ 'content-encoding': 'br', vary: 'Accept-Encoding' })
    expect(answer.headers['content-length']).toBe(String(answer.bytes.length))
    expect(JSON.parse(brotliDecompressSync(answer.bytes).toString())).toMatchObject(long)
    const plain = await space.api.get(`/parts/${id}`)
    expect(answer.headers.etag).toBe(plain.headers.get('etag') ?? undefined)
  })

  it('is compressed if it is the result of a tool', async () => {
    const params = { name: 'get_part', arguments: { part_id: id } }
    const answer = await call(
      'POST',
      '/mcp',
      JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    )
    expect(answer.headers['content-encoding']).toBe('br')
    expect(JSON.parse(brotliDecompressSync(answer.bytes).toString())).toMatchObject({
      result: { structuredContent: long },
    })
  })

  it('is not compressed if it is short or the result of a write', async () => {
    const written = await call('PATCH', part(), JSON.stringify({ html: `${long.html} changed` }))
    const read = await call('GET', `/v1/spaces/${space.subdomain}/pages`)
    for (const { status, headers } of [written, read])
      expect([status, headers['content-encoding'], headers.vary]).toEqual([200, undefined, undefined])
  })
})
