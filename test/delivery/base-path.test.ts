import { type DefaultTreeAdapterTypes, parse } from 'parse5'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { authorizationQuery, pkce, register } from '../oauth/support/flow.ts'
import { testPng } from '../support/png.ts'
import { requestHost } from '../support/request-host.ts'
import { startTestService, type TestService } from '../support/test-service.ts'

// A proxy serves the main site below this path and strips it from the requests it passes on.
const BASE = '/social'
const HOST = 'main.example'
const BROWSER = { accept: 'text/html' }

let service: TestService
const paths: Record<string, string> = {}
beforeAll(async () => {
  service = await startTestService({ apiRoot: `http://${HOST}${BASE}` })
  const person = await service.signUp()
  await person.api.put('/me/icon', { png: await testPng({ width: 256, height: 256 }) })
  const { body } = await person.api.post<{ id: string }>('/posts', {
    format: 'markdown',
    markdown: 'long '.repeat(5000),
  })
  await person.api.post(`/posts/${body.id}/comments`, { body: 'A comment' })
  for (let i = 0; i < 21; i++) await person.api.post('/posts', { format: 'markdown', markdown: `No. ${i}` })
  const clientId = await register(service)
  Object.assign(paths, {
    timeline: '/',
    profile: `/@${person.handle}`,
    post: `/posts/${body.id}`,
    'not found': '/nowhere',
    guide: '/docs',
    'API reference': '/docs/user',
    'tool server': '/mcp',
    'sign-in': `/oauth/authorize?${authorizationQuery(service, clientId, pkce().challenge)}`,
  })
})
afterAll(() => service.stop())

type Node = DefaultTreeAdapterTypes.ChildNode | DefaultTreeAdapterTypes.Document

/** Returns the URLs in all `href`, `src` and `action` attributes, resolved as a browser resolves them. */
const urlsIn = (node: Node, at: URL): URL[] => [
  ...('attrs' in node
    ? node.attrs
        .filter(({ name }) => ['href', 'src', 'action'].includes(name))
        .map(({ value }) => new URL(value, at))
    : []),
  ...('childNodes' in node ? node.childNodes.flatMap(child => urlsIn(child, at)) : []),
]

describe.each([
  'timeline',
  'profile',
  'post',
  'not found',
  'guide',
  'API reference',
  'tool server',
  'sign-in',
])('the %s page of a main site whose address has a path', name => {
  test('has only working links, all of which include the path', async () => {
    const path = paths[name]!
    const { text } = await requestHost(service, HOST, path, { headers: BROWSER })
    const urls = urlsIn(parse(text), new URL(BASE + path, `http://${HOST}`)).filter(
      ({ host }) => host === HOST,
    )
    // Even the sign-in page, whose header has no links, has more than two links.
    expect(urls.length).toBeGreaterThan(2)
    expect(urls.filter(({ pathname }) => !pathname.startsWith(`${BASE}/`)).map(String)).toEqual([])
    const targets = new Set(urls.map(({ pathname, search }) => pathname.slice(BASE.length) + search))
    // Ignore the skip link, which points to the page itself.
    targets.delete(path)
    const dead = []
    for (const target of targets) {
      const { status } = await requestHost(service, HOST, target, { headers: BROWSER })
      // Form actions under `/oauth/` return 404 for GET, so they do not count as dead links.
      if (status === 404 && !target.startsWith('/oauth/')) dead.push(target)
    }
    expect(dead).toEqual([])
  })
})
