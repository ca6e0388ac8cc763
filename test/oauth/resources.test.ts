/** A grant works only at the resource that it was made for (RFC 8707). */
import { expect, test } from 'vitest'
import { toolClient } from '../mcp/support/tool-client.ts'
import {
  authorizationQuery,
  CALLBACK,
  pkce,
  post,
  register,
  TestBrowser,
  useTestServiceWithoutLimits,
} from './support/flow.ts'
import { spaceFlow } from './support/space-flow.ts'

const service = useTestServiceWithoutLimits()
const { browserOf, refresh } = spaceFlow(service)
const urlOf = (path: string | undefined) => (path === undefined ? undefined : `http://localhost${path}`)

/** Connects a client that names a resource, or none. */
const connect = async (path: string | undefined, atExchange = path) => {
  const space = await service.createSpace()
  const browser = await browserOf(space)
  const clientId = await register(service)
  const { verifier, challenge } = pkce()
  const isUser = path === '/user-mcp'
  const query = authorizationQuery(service, clientId, challenge, {
    resource: urlOf(path),
    scope: isUser ? 'posts profile' : 'pages data files files_write',
  })
  const page = await browser.authorize(query)
  const scopes = isUser ? ['posts', 'profile'] : ['pages', 'data', 'files', 'files_write']
  const { location } = await browser.decide(page, 'allow', scopes, isUser ? '' : space.subdomain)
  const named = urlOf(atExchange)
  const { status, body } = await post(service, '/oauth/token', {
    grant_type: 'authorization_code',
    client_id: clientId,
    code: location!.searchParams.get('code')!,
    code_verifier: verifier,
    redirect_uri: CALLBACK,
    ...(named === undefined ? {} : { resource: named }),
  })
  return {
    space,
    clientId,
    text: page.text,
    status,
    error: body.error,
    access: String(body.access_token),
    refreshToken: String(body.refresh_token),
  }
}

const SERVERS = ['/mcp', '/mcp/studio', '/mcp/readonly', '/user-mcp'] as const

/** The tool servers and APIs at which a token is accepted. */
const placesOf = async (access: string, subdomain: string) => {
  const accepted: string[] = []
  for (const path of SERVERS) {
    const { status } = await toolClient(service, path, access, '2025-11-25').send('tools/list')
    if (status === 200) accepted.push(path)
  }
  const rest = service.rest(access)
  if ((await rest.put(`/spaces/${subdomain}/data/kept`, { value: 1 })).status === 200)
    accepted.push('space API')
  if ((await rest.get('/me')).status === 200) accepted.push('user API')
  const headers = { authorization: `Bearer ${access}` }
  const items = await fetch(`${service.root}/transfer/${subdomain}/items`, { headers })
  if (items.status === 200) accepted.push('folder')
  return accepted
}

const AT_SPACE = ['/mcp', '/mcp/studio', 'space API', 'folder']

test.each([
  ['/mcp', AT_SPACE, 'read and change the space'],
  ['/mcp/studio', AT_SPACE, 'read and change the space'],
  ['/mcp/readonly', ['/mcp/readonly'], 'It cannot change anything'],
  ['/user-mcp', ['/user-mcp', 'user API'], 'read and write under your name'],
  ['/transfer', ['folder'], 'copy the space into a folder on this computer'],
  [
    undefined,
    ['/mcp', '/mcp/studio', '/mcp/readonly', 'space API', 'folder'],
    'with all tools and with the API',
  ],
])(
  'a grant for %s works at %j, also after a refresh, and the consent page says what it allows',
  async (path, places, says) => {
    const { space, clientId, text, access, refreshToken } = await connect(path)
    expect(text).toContain(says)
    expect(await placesOf(access, space.subdomain)).toEqual(places)
    const { body } = await refresh(clientId, refreshToken)
    expect(await placesOf(String(body.access_token), space.subdomain)).toEqual(places)
  },
)

test('a client that names its resource only when it exchanges the code is bound to it', async () => {
  const { space, access } = await connect(undefined, '/mcp/readonly')
  expect(await placesOf(access, space.subdomain)).toEqual(['/mcp/readonly'])
})

test.each([
  ['/mcp/readonly', '/mcp'],
  ['/mcp', '/mcp/readonly'],
  ['/mcp', '/user-mcp'],
  ['/mcp/readonly', '/transfer'],
  ['/transfer', '/mcp'],
])('a code for %s cannot be exchanged for a grant for %s', async (path, other) => {
  expect(await connect(path, other)).toMatchObject({ status: 400, error: 'invalid_target' })
})

test('a grant cannot be refreshed for another resource', async () => {
  const { clientId, refreshToken } = await connect('/mcp/readonly')
  const { status, body } = await refresh(clientId, refreshToken, { resource: 'http://localhost/mcp' })
  expect([status, body.error]).toEqual([400, 'invalid_target'])
})

test('a grant from before resources were stored has to be made again', async () => {
  const { space, clientId, access, refreshToken } = await connect('/mcp')
  const sql = service.core.database
  await sql.updateTable('space_keys').set({ resource: null }).where('client_id', '=', clientId).execute()
  expect(await placesOf(access, space.subdomain)).toEqual([])
  const { status, body } = await refresh(clientId, refreshToken)
  expect([status, body.error]).toEqual([400, 'invalid_grant'])
})

test('a key that a person issued works at all tools of its space', async () => {
  const space = await service.createSpace()
  expect(await placesOf(await space.key('data'), space.subdomain)).toEqual([
    '/mcp',
    '/mcp/studio',
    '/mcp/readonly',
    'space API',
  ])
})

test('a suspended account creates no space on the way to a grant', async () => {
  const operated = service.core.database
  const { person, browser, query } = await newcomer()
  await operated
    .updateTable('accounts')
    .set({ suspended_at: new Date(), suspension_reason: 'You only advertise.' })
    .where('handle', '=', person)
    .execute()
  const page = await browser.authorize(query)
  const { status, text } = await browser.createSpace(page, { name: 'Late', subdomain: 'late-space' })
  expect(status).toBe(422)
  expect(text).toContain('You only advertise.')
  const found = await operated
    .selectFrom('space_names')
    .where('subdomain', '=', 'late-space')
    .select('id')
    .execute()
  expect(found).toEqual([])
})

/** A person without a space, in front of the page that creates one. */
const newcomer = async () => {
  const { handle } = await service.signUp()
  const browser = new TestBrowser(service.root)
  const query = authorizationQuery(service, await register(service), pkce().challenge, {
    resource: 'http://localhost/mcp',
  })
  await browser.signIn(handle, query)
  return { person: handle, browser, query }
}
