import { type DefaultTreeAdapterTypes, parse } from 'parse5'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { authorizationQuery, pkce, register } from '../oauth/support/flow.ts'
import { testPng } from '../support/png.ts'
import { requestHost } from '../support/request-host.ts'
import { startTestService, type TestService } from '../support/test-service.ts'
import { mainSiteOf } from './support/main-site.ts'

// A proxy serves the main site below this path and removes the path from the requests that it passes on.
const BASE = '/social'
const HOST = 'main.example'
const BROWSER = { accept: 'text/html' }
/** Names of the pages that require a session. The tests open them with the session of an operator. */
const SIGNED_IN = [
  'own post',
  'posts of followed people',
  'profile of another person',
  'mute',
  'report',
  'suspension',
]

let service: TestService
let browser: Awaited<ReturnType<typeof mainSiteOf>>
const paths: Record<string, string> = {}
beforeAll(async () => {
  service = await startTestService({ apiRoot: `http://${HOST}${BASE}`, operators: ['chief'] })
  const person = await service.signUp()
  await person.api.put('/me/icon', { png: await testPng({ width: 256, height: 256 }) })
  const { body } = await person.api.post<{ id: string }>('/posts', {
    format: 'markdown',
    markdown: 'long '.repeat(5000),
  })
  await person.api.post(`/posts/${body.id}/comments`, { body: 'A comment' })
  for (let i = 0; i < 21; i++) await person.api.post('/posts', { format: 'markdown', markdown: `No. ${i}` })
  const operator = await service.signUp('chief')
  browser = await mainSiteOf(service, operator, HOST)
  await operator.follows.add({ handle: person.handle })
  const own = await operator.posts.create({ format: 'markdown', markdown: 'Mine' })
  await person.api.post(`/posts/${own.id}/comments`, { body: 'Another comment' })
  const clientId = await register(service)
  Object.assign(paths, {
    timeline: '/',
    profile: `/@${person.handle}`,
    post: `/posts/${body.id}`,
    'not found': '/nowhere',
    guide: '/docs',
    'API reference': '/docs/user',
    'tool server': '/mcp',
    'own post': `/posts/${own.id}`,
    'posts of followed people': '/following',
    'profile of another person': `/@${person.handle}`,
    mute: `/@${person.handle}/mute`,
    report: `/posts/${body.id}/report`,
    suspension: `/@${person.handle}/suspension`,
    'sign-in': `/oauth/authorize?${authorizationQuery(service, clientId, pkce().challenge)}`,
  })
})
afterAll(() => service.stop())

type Node = DefaultTreeAdapterTypes.ChildNode | DefaultTreeAdapterTypes.Document

const LINKS = ['href', 'src']

/** Returns the URLs in all attributes with these names, resolved as a browser resolves them. */
const urlsIn = (node: Node, at: URL, names: string[]): URL[] => [
  ...('attrs' in node
    ? node.attrs.filter(({ name }) => names.includes(name)).map(({ value }) => new URL(value, at))
    : []),
  ...('childNodes' in node ? node.childNodes.flatMap(child => urlsIn(child, at, names)) : []),
]

/** Opens a page. If the page requires a session, opens the page with the session of the operator. */
const open = (name: string) =>
  SIGNED_IN.includes(name)
    ? browser.get(paths[name]!)
    : requestHost(service, HOST, paths[name], { headers: BROWSER })

describe.each([
  'timeline',
  'profile',
  'post',
  'not found',
  'guide',
  'API reference',
  'tool server',
  'sign-in',
  ...SIGNED_IN,
])('the %s page of a main site whose address has a path', name => {
  test('has only working links, all of which include the path', async () => {
    const path = paths[name]!
    const { status, text } = await open(name)
    expect(status).toBe(name === 'not found' ? 404 : 200)
    const page = new URL(BASE + path, `http://${HOST}`)
    const urlsOf = (names: string[]) => urlsIn(parse(text), page, names).filter(({ host }) => host === HOST)
    const links = urlsOf(LINKS)
    const all = [...links, ...urlsOf(['action'])]
    // Even the sign-in page, whose header has no links, has more than two URLs.
    expect(all.length).toBeGreaterThan(2)
    expect(all.filter(({ pathname }) => !pathname.startsWith(`${BASE}/`)).map(String)).toEqual([])
    const targets = new Set(links.map(({ pathname, search }) => pathname.slice(BASE.length) + search))
    // Ignore the skip link, which points to the page itself.
    targets.delete(path)
    const dead = []
    for (const target of targets) if ((await browser.get(target)).status === 404) dead.push(target)
    expect(dead).toEqual([])
  })
})

test.each([
  ['post', '/like', { like: 'yes' }],
  ['post', '/comments', { body: 'Beans' }],
  ['report', '', { reason: 'Spam' }],
  ['profile of another person', '/follow', { follow: 'yes' }],
  ['mute', '', { action: 'mute' }],
  ['suspension', '', { reason: 'Spam' }],
  ['own post', '/closing', { closed: 'yes' }],
])(
  'a form on the %s page (%s) redirects to an address that includes the path',
  async (page, path, fields) => {
    const { status, headers } = await browser.send(paths[page]! + path, fields)
    expect([status, headers.location]).toEqual([303, expect.stringMatching(`^${BASE}/`)])
  },
)
