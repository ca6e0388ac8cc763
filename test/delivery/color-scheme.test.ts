import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { authorizationQuery, pkce, register } from '../oauth/support/flow.ts'
import { startTestService, type TestService } from '../support/test-service.ts'

let service: TestService
const paths: Record<string, string> = {}
beforeAll(async () => {
  service = await startTestService()
  const clientId = await register(service)
  Object.assign(paths, {
    'front page': '/',
    'unknown page': '/nowhere',
    reference: '/docs',
    'tool server': '/mcp',
    'sign-in of the authorization server': `/oauth/authorize?${authorizationQuery(service, clientId, pkce().challenge)}`,
  })
})
afterAll(() => service.stop())

const open = async (name: string, cookie: string | null, etag: string | null = null) => {
  const response = await fetch(service.root + paths[name]!, {
    headers: {
      accept: 'text/html',
      ...(cookie === null ? {} : { cookie }),
      // Without this `cache-control`, `fetch` would send `no-cache`.
      ...(etag === null ? {} : { 'if-none-match': etag, 'cache-control': 'max-age=0' }),
    },
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

describe.each([
  'front page',
  'unknown page',
  'reference',
  'tool server',
  'sign-in of the authorization server',
])('the page: %s', name => {
  test.each(['light', 'dark'])('has the chosen color scheme: %s', async scheme => {
    const { text } = await open(name, `other=1; color-scheme=${scheme}`)
    expect(text).toContain(`<html lang="en" data-color-scheme="${scheme}">`)
    expect(text).toContain(`<meta name="color-scheme" content="${scheme}">`)
    expect(text).toContain(`:root[data-color-scheme=${scheme}]{color-scheme:${scheme}}`)
  })

  test.each([null, 'color-scheme=auto', 'color-scheme="><script>'])(
    'follows the system if the cookie is %s',
    async cookie => {
      const { text } = await open(name, cookie)
      expect(text).toContain('<html lang="en">')
      expect(text).toContain('<meta name="color-scheme" content="light dark">')
    },
  )
})

test.each(['front page', 'reference'])('caches store each color scheme of the %s separately', async name => {
  const light = await open(name, 'color-scheme=light')
  const dark = await open(name, 'color-scheme=dark')
  expect(light.headers.get('vary')).toContain('Cookie')
  expect(light.headers.get('etag')).not.toBe(dark.headers.get('etag'))
  expect((await open(name, 'color-scheme=light', light.headers.get('etag'))).status).toBe(304)
  expect((await open(name, 'color-scheme=dark', light.headers.get('etag'))).status).toBe(200)
})

test.each([
  ['dark', 'media="all"'],
  ['light', 'media="not all"'],
])('the front page shows its %s picture if that color scheme is chosen', async (scheme, media) => {
  const { text } = await open('front page', `color-scheme=${scheme}`)
  expect(text).toContain(`dashboard-dark.webp" ${media}>`)
})
