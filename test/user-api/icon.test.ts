import { randomBytes } from 'node:crypto'
import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import type { RestClient } from '../support/rest-client.ts'
import { type Person, useTestService } from '../support/test-service.ts'
import { chunk, chunkTypes, type Header, pixels, pngOf, zeros } from './support/png.ts'

const service = useTestService()
let person: Person
let api: RestClient

beforeAll(async () => {
  person = await service.signUp()
  api = person.api
})

const put = (png: Buffer | string) =>
  api.put<{ icon_url: string; errors?: { field: string; message: string }[] }>('/me/icon', {
    png: typeof png === 'string' ? png : png.toString('base64'),
  })

/** Fetches an icon and returns the response and its bytes. */
const served = async (address: string) => {
  const response = await fetch(service.root + new URL(address).pathname)
  return { response, bytes: Buffer.from(await response.arrayBuffer()) }
}

/** Sets an icon and returns the bytes of the image that the service rebuilds from it. */
const rebuilt = async (png: Buffer) => {
  const { status, body } = await put(png)
  expect(status).toBe(200)
  return (await served(body.icon_url)).bytes
}

const rawOf = (png: Buffer) => sharp(png).ensureAlpha().raw().toBuffer()

const good = pngOf()
const jpeg = await sharp(good).jpeg().toBuffer()
const gif = await sharp(good).gif().toBuffer()

describe('an uploaded icon', () => {
  it('gets a new URL each time, so that browsers can cache it forever', async () => {
    const [one, two] = [await put(good), await put(good)]
    expect(one.body.icon_url).not.toBe(two.body.icon_url)
    expect((await api.get('/me')).body.icon_url).toBe(two.body.icon_url)
    const { response, bytes } = await served(two.body.icon_url)
    expect(response.headers.get('content-type')).toBe('image/png')
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(await rawOf(bytes)).toEqual(await rawOf(good))
    expect((await served(one.body.icon_url)).response.status).toBe(404)
  })

  it('returns 404 after its removal, and removing it again succeeds', async () => {
    const { body } = await put(good)
    expect((await api.delete('/me/icon')).status).toBe(204)
    expect((await api.delete('/me/icon')).status).toBe(204)
    expect((await api.get('/me')).body.icon_url).toBeNull()
    expect((await served(body.icon_url)).response.status).toBe(404)
  })

  it('is served after eight concurrent uploads, which all succeed', async () => {
    const responses = await Promise.all(Array.from({ length: 8 }, () => put(good)))
    expect(responses.map(({ status }) => status)).toEqual(Array(8).fill(200))
    const { icon_url } = (await api.get<{ icon_url: string }>('/me')).body
    expect((await served(icon_url)).response.status).toBe(200)
  })

  it('can be sent as base64 with line breaks and without padding', async () => {
    const lines = good.toString('base64').replace(/(.{76})/g, '$1\r\n')
    expect((await put(lines)).status).toBe(200)
    expect((await put(good.toString('base64').replace(/=+$/, ''))).status).toBe(200)
  })
})

describe('the rebuilt icon', () => {
  const text = (type: string) => chunk(type, Buffer.from('Comment\0secret place'))

  it('has only the pixels of the upload: no text, time or location, and nothing after the end of the image', async () => {
    const png = pngOf(
      {},
      {
        before: [text('tEXt'), chunk('iTXt', Buffer.from('XML:com.adobe.xmp\0\0\0\0\0secret place'))],
        after: [
          chunk('tIME', Buffer.from([7, 230, 1, 1, 1, 1, 1])),
          chunk('eXIf', Buffer.from('MM\0*\0\0\0\x08\0\0secret place', 'latin1')),
          chunk('prIV', Buffer.from('secret place')),
          chunk('IEND'),
          Buffer.from('<script>secret place</script>'),
        ],
      },
    )
    const result = await rebuilt(png)
    expect(new Set(chunkTypes(result))).toEqual(new Set(['IHDR', 'IDAT', 'IEND']))
    expect(result.toString('latin1')).not.toContain('secret')
    expect(await rawOf(result)).toEqual(await rawOf(good))
  })

  const kinds: [string, Header][] = [
    ['gray', { color: 'gray' }],
    ['gray with alpha', { color: 'grayAlpha' }],
    ['color without alpha', { color: 'rgb' }],
    ['black and white', { color: 'gray', depth: 1 }],
  ]
  it.each(kinds)('has the same pixels as an image sent in %s', async (_, header) => {
    const png = pngOf(header)
    const result = await rebuilt(png)
    const toColor = (image: Buffer) => sharp(image).toColorspace('srgb').ensureAlpha().raw().toBuffer()
    expect(await toColor(result)).toEqual(await toColor(png))
  })

  it('has the same colors as the upload if the upload uses a palette', async () => {
    const palette = chunk('PLTE', Buffer.from([255, 0, 0, 0, 0, 255]))
    const header = { color: 'palette' } as const
    const result = await rebuilt(
      pngOf(header, { before: [palette], data: pixels(header, place => place % 2) }),
    )
    const raw = await rawOf(result)
    expect([...raw.subarray(0, 8)]).toEqual([255, 0, 0, 255, 0, 0, 255, 255])
  })

  it('has 8 bits per sample when 16 were sent', async () => {
    const header = { color: 'rgb', depth: 16 } as const
    const result = await rebuilt(pngOf(header, { data: pixels(header, place => (place % 2 ? 0 : 200)) }))
    expect((await sharp(result).metadata()).depth).toBe('uchar')
    expect([...(await rawOf(result)).subarray(0, 4)]).toEqual([200, 200, 200, 255])
  })

  it('keeps the pixels of an interlaced upload', async () => {
    const interlaced = await sharp(good).png({ progressive: true }).toBuffer()
    expect(interlaced[28]).toBe(1)
    expect(await rawOf(await rebuilt(interlaced))).toEqual(await rawOf(good))
  })

  it('has only the first frame of an animated picture', async () => {
    const frame = Buffer.alloc(26)
    frame.writeUInt32BE(256, 4)
    frame.writeUInt32BE(256, 8)
    const png = pngOf(
      {},
      {
        before: [chunk('acTL', Buffer.from([0, 0, 0, 2, 0, 0, 0, 0])), chunk('fcTL', frame)],
        after: [
          chunk('fdAT', Buffer.concat([Buffer.from([0, 0, 0, 1]), pixels({}, () => 9)])),
          chunk('IEND'),
        ],
      },
    )
    const result = await rebuilt(png)
    expect(chunkTypes(result)).not.toContain('acTL')
    expect(await rawOf(result)).toEqual(await rawOf(good))
  })

  it('is converted to sRGB from a wide gamut', async () => {
    const plain = sharp({ create: { width: 256, height: 256, channels: 3, background: '#00ff00' } })
    const wide = await plain.withIccProfile('p3').png().toBuffer()
    expect(chunkTypes(wide)).toContain('iCCP')
    const result = await rebuilt(wide)
    expect(chunkTypes(result)).not.toContain('iCCP')
    const [red, green, blue] = await rawOf(result)
    expect(red).toBeLessThan(10)
    expect(green).toBeGreaterThan(245)
    expect(blue).toBeLessThan(10)
  })
})

describe('an invalid icon', () => {
  const before = pngOf()
  const damaged = Buffer.from(before)
  damaged[damaged.length - 20]! ^= 1
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256"></svg>')

  it.each([
    ['an empty file', Buffer.alloc(0), /empty/],
    ['one byte', Buffer.from('x'), /PNG image/],
    ['a JPEG', jpeg, /PNG image/],
    ['a GIF', gif, /PNG image/],
    ['an SVG', svg, /PNG image/],
    ['a PNG signature before a JPEG', Buffer.concat([before.subarray(0, 8), jpeg]), /complete/],
    ['a signature alone', before.subarray(0, 8), /complete/],
    ['half a header', before.subarray(0, 20), /complete/],
    ['a header alone', before.subarray(0, 33), /complete/],
    ['half the pixels', before.subarray(0, before.length / 2), /complete/],
    ['pixels that are cut short', pngOf({}, { data: pixels({ height: 100 }) }), /complete/],
    ['pixels with a wrong checksum', damaged, /complete/],
    ['a palette image without a palette', pngOf({ color: 'palette' }), /complete/],
    ['a width of 255 pixels', pngOf({ width: 255 }), /255 by 256/],
    ['a height of 257 pixels', pngOf({ height: 257 }), /256 by 257/],
    ['a small image', pngOf({ width: 16, height: 16 }), /16 by 16/],
    ['a width of 0', pngOf({ width: 0 }, { data: pixels() }), /0 by 256/],
    [
      'a header of 60,000 by 60,000 pixels',
      pngOf({ width: 60_000, height: 60_000 }, { data: zeros(100) }),
      /60000 by 60000/,
    ],
  ])('is rejected with the reason: %s', async (_, png, reason) => {
    await put(good)
    const kept = (await api.get('/me')).body.icon_url
    const { status, body } = await put(png)
    expect(status).toBe(422)
    expect(body.errors).toEqual([{ field: 'png', message: expect.stringMatching(reason) }])
    expect((await api.get('/me')).body.icon_url).toBe(kept)
  })

  it.each([
    '',
    '=',
    'iVBORw0KGgo',
    'data:image/png;base64,iVBORw0KGgo=',
    'iVBO*w0KGgo=',
    'iVBOR_0KGgo=',
    'iVBOR w0KGgo',
  ])('is rejected if its base64 is invalid: %j', async text => {
    expect((await put(text)).body.errors?.map(({ field }) => field)).toEqual(['png'])
  })

  it('is rejected if its base64 contains spaces', async () => {
    const { body } = await put(good.toString('base64').replace(/(.{76})/g, '$1 '))
    expect(body.errors).toEqual([{ field: 'png', message: 'must be base64 in the standard alphabet' }])
  })

  it('is rejected if it is longer than 1048576 bytes', async () => {
    const filled = (size: number) => {
      const room = size - before.length - 12
      return pngOf({}, { after: [chunk('prIV', randomBytes(room)), chunk('IEND')] })
    }
    expect(filled(1_048_576)).toHaveLength(1_048_576)
    expect((await put(filled(1_048_576))).status).toBe(200)
    const { status, body } = await put(filled(1_048_577))
    expect(status).toBe(422)
    expect(body.errors).toEqual([{ field: 'png', message: expect.stringContaining('1048576') }])
  })
})

it.each([
  ['pixels', pngOf({}, { data: zeros(500) })],
  [
    'a comment',
    pngOf(
      {},
      {
        before: [chunk('zTXt', Buffer.concat([Buffer.from('Comment\0\0'), zeros(500)]))],
      },
    ),
  ],
])('a picture with 500 MB of %s is not unpacked into memory', async (_, png) => {
  const before = process.memoryUsage.rss()
  const { status } = await put(png)
  expect([200, 422]).toContain(status)
  expect(process.memoryUsage.rss() - before).toBeLessThan(250_000_000)
})
