import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { browse } from '../support/browse.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld()
let host: string

beforeAll(async () => {
  const space = await world.space()
  host = `${space.subdomain}.sites.localhost`
  await space.api.post('/pages', { slug: 'long', kind: 'static', html: `<p>${'word '.repeat(1_000)}</p>` })
  await space.api.post('/pages', { slug: 'short', kind: 'static', html: '<p>word</p>' })
})

const open = (path: string, accepted: string, more: Record<string, string> = {}, at = host) =>
  browse(world, at, path, { headers: { 'accept-encoding': accepted, ...more } })

describe('a text', () => {
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

  test('that is short is sent uncompressed', async () => {
    const { headers, text } = await open('/short', 'br, gzip')
    expect(headers['content-encoding']).toBeUndefined()
    expect(text).toContain('<p>word</p>')
  })

  test('is compressed with brotli if the client accepts brotli and gzip, and sent uncompressed if it accepts neither', async () => {
    expect((await open('/long', 'gzip, deflate, br')).headers['content-encoding']).toBe('br')
    expect((await open('/long', 'deflate')).headers['content-encoding']).toBeUndefined()
  })

  test.each(['br', 'gzip', 'identity'])(
    'of the main site has an ETag for %s, and is not sent again to clients that have it',
    async encoding => {
      const first = await open('/', encoding, {}, 'localhost')
      const again = await open('/', encoding, { 'if-none-match': String(first.headers.etag) }, 'localhost')
      expect([first.status, again.status, again.bytes.length]).toEqual([200, 304, 0])
      expect(again.headers.etag).toBe(first.headers.etag)
    },
  )
})
