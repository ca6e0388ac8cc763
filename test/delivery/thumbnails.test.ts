import sharp from 'sharp'
import { beforeEach, describe, expect, test } from 'vitest'
import { requestHost } from '../support/request-host.ts'
import { useTestService } from '../support/test-service.ts'
import { newSite, type TestSite } from './support/site.ts'

const service = useTestService()
let site: TestSite

beforeEach(async () => {
  site = await newSite(service)
})

const upload = async (name: string, content: Buffer) => {
  const body = { name, content: content.toString('base64'), encoding: 'base64' }
  return (await site.space.api.post<{ id: string }>('/files', body)).body.id
}
const thumbnail = (id: string, size: string, headers: Record<string, string> = {}) =>
  requestHost(service, `${id}.files.localhost`, `/_thumbnail/${size}`, { headers })

/** A picture with noise, which compresses badly. */
const noise = (width: number, height: number) =>
  sharp({
    create: {
      width,
      height,
      channels: 3,
      background: '#888',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  })

describe('the thumbnail of a picture', () => {
  test.each(['png', 'jpeg', 'webp', 'gif', 'avif'] as const)('is small for the format %s', async format => {
    const picture = await noise(600, 300).toFormat(format).toBuffer()
    const id = await upload(`a.${format}`, picture)
    for (const [size, width, height] of [
      ['small', 96, 48],
      ['large', 480, 240],
    ] as const) {
      const { status, headers, bytes } = await thumbnail(id, size)
      expect([status, headers['content-type']]).toEqual([200, 'image/webp'])
      expect(await sharp(bytes).metadata()).toMatchObject({ width, height })
      expect(bytes.length).toBeLessThan(60_000)
    }
  })

  test('is not larger than the picture, and is rotated as the picture’s metadata says', async () => {
    const small = await upload('a.png', await noise(60, 40).png().toBuffer())
    expect(await sharp((await thumbnail(small, 'large')).bytes).metadata()).toMatchObject({
      width: 60,
      height: 40,
    })
    const turned = await noise(200, 100).withMetadata({ orientation: 6 }).jpeg().toBuffer()
    const { bytes } = await thumbnail(await upload('a.jpg', turned), 'small')
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 48, height: 96 })
  })

  test('is not sent again while the file is unchanged, and changes immediately when the content of the file changes', async () => {
    const id = await upload('a.png', await noise(60, 40).png().toBuffer())
    const before = await thumbnail(id, 'small')
    const tag = { 'if-none-match': String(before.headers.etag) }
    expect((await thumbnail(id, 'small', tag)).status).toBe(304)
    const content = (await noise(40, 60).png().toBuffer()).toString('base64')
    await site.space.api.patch(`/files/${id}`, { content, encoding: 'base64' })
    const { status, bytes } = await thumbnail(id, 'small', tag)
    expect(status).toBe(200)
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 40, height: 60 })
  })
})

const HUGE = `<svg xmlns="http://www.w3.org/2000/svg" width="30000" height="30000"/>`

describe('there is no thumbnail', () => {
  test.each([
    ['a broken picture', 'a.png', () => Buffer.from('\x89PNG\r\n\x1a\nnonsense', 'latin1')],
    ['an SVG that is named like a PNG', 'a.png', () => Buffer.from(HUGE)],
    ['an SVG', 'a.svg', () => Buffer.from(HUGE)],
    ['a text file', 'a.txt', () => Buffer.from('x')],
    [
      'a picture with too many pixels',
      'a.png',
      () =>
        sharp({ create: { width: 7000, height: 6000, channels: 3, background: '#fff' } })
          .png()
          .toBuffer(),
    ],
  ])('of %s', async (_, name, content) => {
    const id = await upload(name, await content())
    expect((await thumbnail(id, 'small')).status).toBe(404)
    expect((await requestHost(service, `${id}.files.localhost`, '/')).status).toBe(200)
  })

  test.each(['', 'huge', 'small/', 'small/x', '__proto__'])('at the path %j', async size => {
    const id = await upload('a.png', await noise(60, 40).png().toBuffer())
    expect((await thumbnail(id, size)).status).toBe(404)
  })

  test('of a deleted file', async () => {
    const id = await upload('a.png', await noise(60, 40).png().toBuffer())
    expect((await thumbnail(id, 'small')).status).toBe(200)
    await site.space.api.delete(`/files/${id}`)
    expect((await thumbnail(id, 'small')).status).toBe(404)
  })
})
