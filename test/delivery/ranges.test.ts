import * as fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { useTestService } from '../support/test-service.ts'
import { newSite, type TestSite } from './support/site.ts'

const service = useTestService()
let site: TestSite
let file: Awaited<ReturnType<TestSite['file']>>
const CONTENT = 'abcdefghijklmnopqrstuvwxyz'

beforeAll(async () => {
  site = await newSite(service)
  file = await site.file('a.mp3', Buffer.from(CONTENT))
})

const requestRange = (range: string, more: Record<string, string> = {}) =>
  site.openFile(file, { headers: { range, ...more } })

describe('a range of a file', () => {
  it.each([
    ['bytes=0-', 'bytes 0-25/26', CONTENT],
    ['bytes=0-0', 'bytes 0-0/26', 'a'],
    ['bytes=3-5', 'bytes 3-5/26', 'def'],
    ['bytes=20-', 'bytes 20-25/26', 'uvwxyz'],
    ['bytes=20-1000', 'bytes 20-25/26', 'uvwxyz'],
    ['bytes=-3', 'bytes 23-25/26', 'xyz'],
    ['bytes=-1000', 'bytes 0-25/26', CONTENT],
  ])('%s is sent as 206', async (range, contentRange, text) => {
    const response = await requestRange(range)
    expect(response.status).toBe(206)
    expect(response.text).toBe(text)
    expect(response.headers).toMatchObject({
      'content-range': contentRange,
      'content-length': String(text.length),
      'content-type': 'audio/mpeg',
      'cache-control': 'public, max-age=300',
    })
    expect(response.headers.etag).toBeDefined()
  })

  it.each(['bytes=26-', 'bytes=1000-2000', 'bytes=-0'])(
    '%s cannot be satisfied and gets a 416',
    async range => {
      const { status, headers, text } = await requestRange(range)
      expect([status, headers['content-range'], text]).toEqual([416, 'bytes */26', ''])
      expect(headers['cache-control']).toBe('public, max-age=300')
    },
  )

  it.each([
    'lines=0-3',
    'bytes',
    'bytes=0-1,4-5',
    'nonsense',
    'bytes=-',
    'bytes=5-2',
    'bytes=a-b',
    'bytes=0x1-2',
  ])('%s is ignored, and the whole file is sent', async range => {
    const { status, headers, text } = await requestRange(range)
    expect([status, text]).toEqual([200, CONTENT])
    expect(headers).not.toHaveProperty('content-range')
  })

  it('is ignored for HEAD', async () => {
    const { status, headers, text } = await site.openFile(file, {
      method: 'HEAD',
      headers: { range: 'bytes=0-3' },
    })
    expect([status, headers['content-length'], text]).toEqual([200, '26', ''])
  })

  it('is sent if If-Range matches the current file', async () => {
    const { headers } = await site.openFile(file)
    for (const condition of [headers.etag, headers['last-modified']])
      expect((await requestRange('bytes=0-3', { 'if-range': String(condition) })).status).toBe(206)
  })

  it.each(['"x"', 'Sat, 01 Jan 2000 00:00:00 GMT', 'Sat, 01 Jan 2050 00:00:00 GMT', 'x'])(
    'is ignored if If-Range is %s, and the whole file is sent',
    async condition => {
      const { status, text } = await requestRange('bytes=0-3', { 'if-range': condition })
      expect([status, text]).toEqual([200, CONTENT])
    },
  )

  it('is ignored if If-Range is a weak tag', async () => {
    const { headers } = await site.openFile(file)
    expect((await requestRange('bytes=0-3', { 'if-range': `W/${headers.etag}` })).status).toBe(200)
  })

  it('gets a 304 if the client has the current file', async () => {
    const { headers } = await site.openFile(file)
    expect((await requestRange('bytes=0-3', { 'if-none-match': String(headers.etag) })).status).toBe(304)
  })

  it('contains exactly the requested bytes', async () => {
    const bytes = Buffer.from(Uint8Array.from({ length: 300_000 }, (_, index) => index * 7 + (index >> 8)))
    const big = await site.file('big.bin', bytes)
    const offset = fc.nat(bytes.length - 1)
    await fc.assert(
      fc.asyncProperty(offset, offset, async (one, other) => {
        const [start, end] = [Math.min(one, other), Math.max(one, other)]
        const response = await site.openFile(big, { headers: { range: `bytes=${start}-${end}` } })
        expect(response.headers['content-range']).toBe(`bytes ${start}-${end}/${bytes.length}`)
        expect(response.bytes.equals(bytes.subarray(start, end + 1))).toBe(true)
      }),
      { numRuns: 40 },
    )
  })
})
