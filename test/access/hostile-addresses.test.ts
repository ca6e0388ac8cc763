import { beforeAll, expect, test } from 'vitest'
import { request } from '../space-api/support/http.ts'
import { type TestSpace, useTestService } from '../support/test-service.ts'
import { signInMover } from '../transfer/support/browser-session.ts'

const service = useTestService({ anonymousCallsPerMinute: 1_000_000, dashboardCallsPerMinute: 1_000_000 })
let cookie: string
let space: TestSpace
let post: string

beforeAll(async () => {
  const mover = await signInMover(service)
  cookie = mover.cookie
  space = await mover.space()
  const { api } = space.owner
  post = (await api.post<{ id: string }>('/posts', { html: 'x' })).body.id
})

/** Parts of addresses and fields of forms that PostgreSQL refuses, or that are outside of what its columns can hold. */
const HOSTILE = [
  '%00',
  'a%00a',
  '%ED%A0%80',
  '%FF',
  'a'.repeat(3_000),
  '9'.repeat(18),
  `${'9'.repeat(14)}-${'9'.repeat(18)}`,
  `${'9'.repeat(15)}-${'a'.repeat(16)}`,
  `${'9'.repeat(19)}-1`,
  '0-0',
]

/** Addresses in which `*` stands for a hostile value. The second element is the host. */
const ADDRESSES: [path: () => string, host: () => string][] = [
  [() => '/*', () => 'localhost'],
  [() => '/?before=*', () => 'localhost'],
  [() => '/following?before=*', () => 'localhost'],
  [() => '/@*', () => 'localhost'],
  [() => `/@${space.owner.handle}?before=*`, () => 'localhost'],
  [() => '/posts/*', () => 'localhost'],
  [() => `/posts/${post}?from=*`, () => 'localhost'],
  [() => `/posts/${post}/report?comment=*`, () => 'localhost'],
  [() => '/@*/suspension', () => 'localhost'],
  [() => '/@*/mute', () => 'localhost'],
  [() => '/transfer/*', () => 'localhost'],
  [() => '/uploads/*', () => 'localhost'],
  [() => '/oauth/authorize?client_id=*&redirect_uri=*&state=*&scope=*', () => 'localhost'],
  [() => '/_icons/*', () => 'localhost'],
  [() => '/*', () => `${space.subdomain}.sites.localhost`],
  [() => '/articles?before=*', () => `${space.subdomain}.sites.localhost`],
  [() => '/_page/*', () => `${space.subdomain}.sites.localhost`],
  [() => '/', () => '*.sites.localhost'],
  [() => '/', () => '*.pages.localhost'],
  [() => '/', () => '*.files.localhost'],
  [() => '/', () => '*.posts.localhost'],
]

test.each(ADDRESSES)(
  'a hostile value in the address %s of %s causes no internal error',
  async (path, host) => {
    for (const value of HOSTILE) {
      const headers = { cookie, host: host().replace('*', value) }
      const { status } = await request(service.root, 'GET', path().replaceAll('*', value), { headers })
      expect([value, status < 500]).toEqual([value, true])
    }
  },
)

/** Forms in which `*` stands for a hostile value. */
const FORMS: [path: () => string, fields: string][] = [
  [
    () => '/oauth/token',
    'grant_type=authorization_code&client_id=*&code=*&code_verifier=*&redirect_uri=*&resource=*',
  ],
  [() => '/oauth/token', 'grant_type=refresh_token&client_id=*&refresh_token=*&scope=*'],
  [() => '/oauth/revoke', 'client_id=*&token=*'],
  [() => '/oauth/sign-in', 'handle=*&password=*&query=*'],
  [() => '/oauth/consent', 'client_id=*&redirect_uri=*&state=*&scope=*&decision=allow&space=*'],
  [() => '/oauth/space', 'client_id=*&subdomain=*&name=*'],
  [() => `/posts/${post}/comments`, 'body=*'],
  [() => `/posts/${post}/comments/preview`, 'body=*'],
  [() => `/posts/${post}/like`, 'liked=*'],
  [() => `/posts/${post}/closing`, 'closed=*'],
  [() => `/posts/${post}/report`, 'reason=*&comment=*'],
  [() => `/posts/${post}/comments/*/delete`, 'x=*'],
  [() => '/posts/*/comments', 'body=x'],
  [() => '/@*/follow', 'followed=*'],
  [() => '/@*/mute', 'kind=*'],
  [() => '/@*/suspension', 'reason=*'],
]

test.each(FORMS)(
  'a hostile value in a form for %s with %s causes no internal error',
  async (path, fields) => {
    for (const value of HOSTILE) {
      const { status } = await request(service.root, 'POST', path().replaceAll('*', value), {
        headers: {
          cookie,
          host: 'localhost',
          'content-type': 'application/x-www-form-urlencoded',
          'sec-fetch-site': 'same-origin',
        },
        body: fields.replaceAll('*', value),
      })
      expect([value, status < 500]).toEqual([value, true])
    }
  },
)

test.each([
  { redirect_uris: ['https://client.example/\ud800'] },
  { redirect_uris: ['https://client.example/\0'] },
  { redirect_uris: [`https://client.example/${'a'.repeat(3_000)}`] },
  { redirect_uris: ['https://client.example/'], client_name: '\0\ud800' },
  { redirect_uris: ['https://client.example/'], client_name: 'a'.repeat(20_000) },
])('the registration of an OAuth client causes no internal error with %j', async metadata => {
  const { status } = await request(service.root, 'POST', '/oauth/register', {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(metadata),
  })
  expect(status).toBeLessThan(500)
})
