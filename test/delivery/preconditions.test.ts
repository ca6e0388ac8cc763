/** Tests the preconditions of RFC 9110, section 13, on everything that the service delivers. */
import { gunzipSync, gzipSync } from 'node:zlib'
import { beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import { mayResume, verdictOn } from '../../facades/http/conditional-requests.ts'
import { dashboardScript } from '../support/dashboard-script.ts'
import { testPng } from '../support/png.ts'
import { requestHost } from '../support/request-host.ts'
import { useTestService } from '../support/test-service.ts'
import { newSite, type TestSite } from './support/site.ts'

const service = useTestService()

const LONG_AGO = 'Mon, 01 Jan 2001 00:00:00 GMT'
const LATER = 'Sat, 01 Jan 2050 00:00:00 GMT'

describe('the preconditions of a request', () => {
  const strong = { etag: '"v1"', lastModified: 'Tue, 24 Nov 2026 10:00:00 GMT' }
  const weak = { etag: 'W/"v1"' }
  const since = 'if-unmodified-since'

  test.each([
    // If-Match, which compares strongly.
    [{ 'if-match': '"v1"' }, strong, 'send'],
    [{ 'if-match': '"v0", "v1"' }, strong, 'send'],
    [{ 'if-match': '"v0",, "v1" ,' }, strong, 'send'],
    [{ 'if-match': '*' }, strong, 'send'],
    [{ 'if-match': '*' }, {}, 'send'],
    [{ 'if-match': '"v0"' }, strong, 'failed'],
    [{ 'if-match': 'W/"v1"' }, strong, 'failed'],
    [{ 'if-match': '"v1"' }, weak, 'failed'],
    [{ 'if-match': '"v1"' }, {}, 'failed'],
    [{ 'if-match': 'v1' }, strong, 'failed'],
    [{ 'if-match': '' }, strong, 'failed'],
    // If-Unmodified-Since, which counts only without If-Match, and only with a date.
    [{ [since]: LONG_AGO }, strong, 'failed'],
    [{ [since]: 'Tue, 24 Nov 2026 09:59:59 GMT' }, strong, 'failed'],
    [{ [since]: 'Tue, 24 Nov 2026 10:00:00 GMT' }, strong, 'send'],
    [{ [since]: 'Monday, 01-Jan-01 00:00:00 GMT' }, strong, 'failed'],
    [{ [since]: 'Mon Jan  1 00:00:00 2001' }, strong, 'failed'],
    [{ [since]: 'Tue Nov 24 10:00:00 2026' }, strong, 'send'],
    [{ [since]: '2001-01-01T00:00:00Z' }, strong, 'send'],
    [{ [since]: 'Room 5' }, strong, 'send'],
    [{ [since]: LONG_AGO }, {}, 'send'],
    [{ 'if-match': '"v1"', [since]: LONG_AGO }, strong, 'send'],
    [{ 'if-match': '"v0"', [since]: LATER }, strong, 'failed'],
    // If-None-Match, which compares weakly and follows the first two.
    [{ 'if-none-match': '"v1"' }, strong, 'not modified'],
    [{ 'if-none-match': 'W/"v1"' }, strong, 'not modified'],
    [{ 'if-none-match': '"v1"' }, weak, 'not modified'],
    [{ 'if-none-match': '*' }, {}, 'not modified'],
    [{ 'if-none-match': '"v0"' }, strong, 'send'],
    [{ 'if-none-match': '"a,b"' }, { etag: '"a,b"' }, 'not modified'],
    [{ 'if-match': '"v0"', 'if-none-match': '"v1"' }, strong, 'failed'],
    [{ 'if-match': '"v1"', 'if-none-match': '"v1"' }, strong, 'not modified'],
    [{ [since]: LONG_AGO, 'if-none-match': '"v1"' }, strong, 'failed'],
    // If-Modified-Since, which counts only without If-None-Match, and only with a date.
    [{ 'if-modified-since': LATER }, strong, 'not modified'],
    [{ 'if-modified-since': LONG_AGO }, strong, 'send'],
    [{ 'if-modified-since': 'Tue, 24 Nov 2026 10:00:00 GMT' }, strong, 'not modified'],
    [{ 'if-modified-since': '2050-01-01' }, strong, 'send'],
    [{ 'if-modified-since': LATER }, {}, 'send'],
    [{ 'if-none-match': '"v0"', 'if-modified-since': LATER }, strong, 'send'],
    [{ [since]: LONG_AGO, 'if-modified-since': LATER }, strong, 'failed'],
  ] as const)('%j of the version %j lead to “%s”', (headers, version, verdict) => {
    for (const method of ['GET', 'HEAD']) expect(verdictOn({ method, headers }, version)).toBe(verdict)
  })

  test.each([
    [{}, strong, true],
    [{ 'if-range': '"v1"' }, strong, true],
    [{ 'if-range': '"v0"' }, strong, false],
    [{ 'if-range': 'W/"v1"' }, strong, false],
    [{ 'if-range': 'W/"v1"' }, weak, false],
    [{ 'if-range': 'Tue, 24 Nov 2026 10:00:00 GMT' }, strong, true],
    [{ 'if-range': 'Tue Nov 24 10:00:00 2026' }, strong, true],
    [{ 'if-range': LONG_AGO }, strong, false],
    [{ 'if-range': LATER }, strong, false],
    [{ 'if-range': LONG_AGO }, {}, false],
    [{ 'if-range': 'v1' }, strong, false],
  ] as const)('a range with %j of the version %j is sent: %s', (headers, version, isSent) => {
    expect(mayResume(headers, version)).toBe(isSent)
  })
})

describe('everything that is delivered', () => {
  /** The host and path of each resource. */
  let resources: Record<string, [host: string, path: string]>

  beforeAll(async () => {
    const site = await newSite(service)
    const { subdomain, owner } = site.space
    const host = `${subdomain}.sites.localhost`
    await owner.spaces.setIcon({ subdomain, png: await testPng({ width: 256, height: 256 }) })
    await owner.api.put('/me/icon', { png: await testPng({ width: 256, height: 256 }) })
    await site.page('about', '<p>text</p>')
    const app = await site.page('app', '<p>text</p>', 'scripted')
    const picture = await site.file(
      'a.png',
      Buffer.from(await testPng({ width: 300, height: 300 }), 'base64'),
    )
    const { id: post } = await owner.posts.create({ format: 'html', html: '<p>post</p>' })
    const main = (await requestHost(service, 'localhost', `/@${owner.handle}`)).text
    const admin = (await requestHost(service, 'localhost', '/admin')).text
    resources = {
      'a file': [`${picture.id}.files.localhost`, '/'],
      'a small picture': [`${picture.id}.files.localhost`, '/_thumbnail/small'],
      'a static page': [host, '/about'],
      'the window of a scripted page': [host, '/app'],
      'a scripted page': [`${app.id}.pages.localhost`, '/app'],
      'the script of pages': [host, '/_page.js'],
      'the list of pages': [host, '/articles'],
      'the feed': [host, '/articles.atom'],
      'the site map': [host, '/sitemap.xml'],
      'robots.txt': [host, '/robots.txt'],
      'the icon of a site': [host, '/favicon.ico'],
      'a preview': ['preview-2222222222222222.pages.localhost', '/'],
      'a post': [`${post}.posts.localhost`, '/'],
      'the front page': ['localhost', '/'],
      'a profile': ['localhost', `/@${owner.handle}`],
      'the page of a post': ['localhost', `/posts/${post}`],
      'the icon of a person': ['localhost', /src="(\/_icons\/[^"]+)"/.exec(main)![1]!],
      'a font': ['localhost', /\/_fonts\/[\w-]+\.woff2/.exec(main)![0]],
      'a picture of the front page': ['localhost', '/_front/dashboard-light.webp'],
      'the icon of the main site': ['localhost', '/favicon.ico'],
      'the dashboard': ['localhost', '/admin'],
      'a script of the dashboard': ['localhost', `/admin/${dashboardScript(admin)}`],
      'the reference': ['localhost', '/docs'],
      'an OpenAPI document': ['localhost', '/openapi.json'],
      'llms.txt': ['localhost', '/llms.txt'],
      'the metadata of the authorization server': [
        'localhost',
        '/.well-known/oauth-authorization-server/oauth',
      ],
    }
  })

  it('responds to failed preconditions with 412, and to known versions with 304', async () => {
    for (const [what, [host, path]] of Object.entries(resources)) {
      const ask = async (headers: Record<string, string>) => {
        const { status, headers: sent, bytes } = await requestHost(service, host, path, { headers })
        // Neither a 304 nor a 412 has content, and a 412 must not be cached in place of the content.
        const isRight =
          status === 200 || (bytes.length === 0 && (status !== 412 || sent['cache-control'] === 'no-store'))
        return isRight ? status : `${status} with ${bytes.length} bytes, ${sent['cache-control']}`
      }
      const first = await requestHost(service, host, path)
      const { etag, 'last-modified': changed } = first.headers
      expect({
        what,
        plain: first.status,
        anotherTag: await ask({ 'if-match': '"another"' }),
        anyTag: await ask({ 'if-match': '*' }),
        knownTag: await ask({ 'if-none-match': '*' }),
        order: await ask({ 'if-match': '"another"', 'if-none-match': '*' }),
        ...(etag && {
          sameTag: await ask({ 'if-match': etag, 'if-unmodified-since': LONG_AGO }),
          weakTag: await ask({ 'if-match': `W/${etag}` }),
          currentTag: await ask({ 'if-none-match': etag }),
        }),
        changedSince: await ask({ 'if-unmodified-since': LONG_AGO }),
        unchangedSince: await ask({ 'if-unmodified-since': LATER }),
      }).toEqual({
        what,
        plain: 200,
        anotherTag: 412,
        anyTag: 200,
        knownTag: 304,
        order: 412,
        ...(etag && { sameTag: 200, weakTag: 412, currentTag: 304 }),
        changedSince: changed ? 412 : 200,
        unchangedSince: 200,
      })
    }
  })

  it('ignores preconditions if the response would not be successful', async () => {
    const headers = { 'if-match': '"another"' }
    const statuses = []
    for (const [host, path] of [
      ['localhost', '/nowhere'],
      ['localhost', '/admin/assets/nothing.js'],
      ['2222222222222222.files.localhost', '/'],
    ] as const)
      statuses.push((await requestHost(service, host, path, { headers })).status)
    expect(statuses).toEqual([404, 404, 404])
  })
})

describe('a download that is resumed', () => {
  let site: TestSite
  beforeEach(async () => {
    site = await newSite(service)
  })
  const replace = (id: string, content: string) =>
    site.space.api.patch(`/files/${id}`, { content, encoding: 'text' })

  it.each([
    ['changed', 412, 200],
    ['not changed', 206, 206],
  ])('gets no bytes of another version if the file has %s', async (change, expected, byRange) => {
    const file = await site.file('a.zip', 'old '.repeat(500))
    const { headers } = await site.openFile(file, { headers: { range: 'bytes=0-99' } })
    // Within the same second, so that the dates of both versions would be equal if they were only rounded.
    if (change === 'changed') await replace(file.id, 'new '.repeat(500))
    const statuses = []
    for (const [name, validator] of [
      ['if-match', headers.etag],
      ['if-unmodified-since', headers['last-modified']],
      ['if-range', headers.etag],
      ['if-range', headers['last-modified']],
    ] as const) {
      const resumed = { range: 'bytes=100-', [name]: String(validator) }
      statuses.push((await site.openFile(file, { headers: resumed })).status)
    }
    expect(statuses).toEqual([expected, expected, byRange, byRange])
  })

  it('gets no bytes of another version if the file was replaced twice within a second', async () => {
    const file = await site.file('a.zip', 'one '.repeat(500))
    for (let round = 0; round < 3; round++) {
      await replace(file.id, `${round} old `.repeat(500))
      const { headers } = await site.openFile(file, { headers: { range: 'bytes=0-99' } })
      await replace(file.id, `${round} new `.repeat(500))
      for (const name of ['if-unmodified-since', 'if-range']) {
        const resumed = { range: 'bytes=100-', [name]: String(headers['last-modified']) }
        expect((await site.openFile(file, { headers: resumed })).status).not.toBe(206)
      }
    }
  })

  it('never gets a date in the future', async () => {
    const file = await site.file('a.zip', 'one')
    await replace(file.id, 'two')
    const { headers } = await site.openFile(file)
    expect(Date.parse(headers['last-modified']!)).toBeLessThanOrEqual(Date.now())
  })
})

describe('a gzipped SVG', () => {
  const SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="50" height="40"><!--${'x'.repeat(5000)}--></svg>`
  const gzipped = gzipSync(SVG)
  let site: TestSite
  beforeAll(async () => {
    site = await newSite(service)
  })

  it.each(['br, gzip', 'identity'])(
    'is sent as it is, with its encoding, to a client that accepts %s',
    async accepted => {
      const file = await site.file('drawing.SVGZ', gzipped)
      const { status, headers, bytes } = await site.openFile(file, {
        headers: { 'accept-encoding': accepted },
      })
      expect(status).toBe(200)
      expect(headers).toMatchObject({
        'content-type': 'image/svg+xml',
        'content-encoding': 'gzip',
        'content-length': String(gzipped.length),
        'x-content-type-options': 'nosniff',
      })
      expect(headers.vary).toBeUndefined()
      expect(gunzipSync(bytes).toString()).toBe(SVG)
      const again = await site.openFile(file, { headers: { 'if-none-match': String(headers.etag) } })
      expect(again.status).toBe(304)
    },
  )

  it('has ranges of its compressed bytes', async () => {
    const file = await site.file('drawing.svgz', gzipped)
    const { headers: whole } = await site.openFile(file)
    const range = { range: 'bytes=5-9', 'if-range': String(whole.etag) }
    const { status, headers, bytes } = await site.openFile(file, { headers: range })
    expect([status, headers['content-encoding'], headers['content-range']]).toEqual([
      206,
      'gzip',
      `bytes 5-9/${gzipped.length}`,
    ])
    expect(bytes.equals(gzipped.subarray(5, 10))).toBe(true)
  })

  it('is sent like any SVG if it is not compressed after all', async () => {
    const file = await site.file('drawing.svgz', SVG)
    const { headers, text } = await site.openFile(file)
    expect([headers['content-type'], headers['content-encoding'], text]).toEqual([
      'image/svg+xml',
      undefined,
      SVG,
    ])
  })
})
