/**
 * Calls everything that the program as it ships offers once: each procedure, operation, tool and page. What exists only
 * in the bundle, such as a module that it leaves out or runs in another order, shows as an internal error.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { prepareServer } from '../../facades/mcp/prepare-server.ts'
import { toolServers } from '../../facades/mcp/servers.ts'
import { apis } from '../../facades/shared/apis.ts'
import { addresses } from '../../routers/api/addresses.ts'
import { SPACE_SCOPES, USER_SCOPES } from '../../routers/api/scopes.ts'
import { appRouter } from '../../routers/index.ts'
import { readSettings } from '../../server/settings/settings.ts'
import { classification, createVictim, type Victim } from '../access/classification.ts'
import { bodyOf, pathOf, spaceOperations, userOperations } from '../contract/operations.ts'
import { authenticator } from '../dashboard/support/authenticator.ts'
import { dashboardClient, errorCodeOf } from '../dashboard/support/dashboard-client.ts'
import { signUpWithPasskey } from '../dashboard/support/passkeys.ts'
import { type ToolPath, toolClient } from '../mcp/support/tool-client.ts'
import { request } from '../space-api/support/http.ts'
import { copyDatabase } from '../support/database.ts'
import { freePort, type Program, run } from '../support/program.ts'
import { startTestService, type TestService } from '../support/test-service.ts'

const PASSWORD = 'correct horse battery'
const OPERATOR = 'chief'

/** Fills the database of the program, because it has functions that create resources of all kinds. */
let filler: TestService
let program: Program
/** The program, for clients that expect a service. */
let shipped: TestService
let domains: ReturnType<typeof addresses>

beforeAll(async () => {
  const databaseUrl = await copyDatabase(inject('database'))
  filler = await startTestService({ databaseUrl })
  const port = await freePort()
  const many = '1000000'
  const environment = {
    PORT: String(port),
    API_ROOT: 'http://localhost',
    DATABASE_URL: databaseUrl,
    DEMO: '0',
    SIGN_UP: 'open',
    OPERATORS: OPERATOR,
    RENDER_PROCESSES: '1',
    CALLS_PER_MINUTE: many,
    ANONYMOUS_CALLS_PER_MINUTE: many,
    DASHBOARD_CALLS_PER_MINUTE: many,
    SIGN_IN_ATTEMPTS: '1000',
    SIGN_IN_ATTEMPTS_PER_CLIENT: '1000',
  }
  domains = addresses(readSettings(environment))
  program = run('server/main.mjs', environment)
  await program.waitForOutput(/Dashboard/)
  shipped = { ...filler, root: `http://127.0.0.1:${port}` }
})
afterAll(async () => {
  await program.end('SIGTERM')
  await filler.stop()
})

/** The inputs of the procedures that everyone can call. */
const OPEN_INPUTS: Readonly<Record<string, (victim: Victim) => unknown>> = {
  'accounts.entry': () => undefined,
  'accounts.resetPassword': () => ({ token: 'a'.repeat(43), password: PASSWORD }),
  'accounts.signUp': () => ({ handle: 'newcomer', password: PASSWORD }),
  'invites.look': () => ({ token: 'a'.repeat(43) }),
  'links.look': () => ({ token: 'a'.repeat(43) }),
  'passkeys.signIn': () => ({
    response: authenticator().answer({ challenge: 'x', rpId: 'localhost' }),
  }),
  'passkeys.startSignIn': () => undefined,
  'sessions.create': ({ person }) => ({ handle: person.handle, password: PASSWORD }),
  'sessions.createFromCode': ({ person }) => ({ handle: person.handle, code: 'abcdef-abcdef-abcdef' }),
  'sessions.createFromLink': () => ({ token: 'a'.repeat(43) }),
  'uploadLinks.use': () => ({ token: 'a'.repeat(43), bytes: '' }),
}

/** Procedures after which others would find nothing, or no session: the later in this list, the later they are called. */
const LAST = [
  /\.(delete|remove|revoke|withdraw|takeDown|dismiss)|erase/,
  /^participants\.leave/,
  /^spaces\.delete/,
  /^suspensions\.add/,
  /^suspensions\.lift/,
  /^accounts\.setPassword/,
  /^sessions\./,
]
const turnOf = ({ name, type }: { name: string; type: string }) =>
  Math.max(type === 'query' ? -1 : 0, ...LAST.map((pattern, turn) => (pattern.test(name) ? turn + 1 : -1)))

const procedures = Object.entries<{ _def: unknown }>(appRouter._def.procedures as never)
  .map(([name, procedure]) => ({ name, type: (procedure._def as { type: string }).type }))
  .toSorted((a, b) => turnOf(a) - turnOf(b))

/** Signs in at the program and returns the session cookie. */
const signIn = async (handle: string) => {
  const browser = dashboardClient(shipped)
  await browser.api.sessions.create.mutate({ handle, password: PASSWORD })
  return browser.cookie()!
}

test('every procedure', async () => {
  const [victim, leaving] = await Promise.all([
    createVictim(filler),
    createVictim(filler),
    filler.signUp(OPERATOR),
  ])
  const cookies = {
    own: await signIn(victim.person.handle),
    leaving: await signIn(leaving.person.handle),
    operator: await signIn(OPERATOR),
  }
  const faults: unknown[] = []
  for (const { name, type } of procedures.filter(({ type }) => type !== 'subscription')) {
    const access = classification[name]
    const inputOf = access?.kind === 'open' ? OPEN_INPUTS[name] : access?.input
    expect(inputOf, `\`${name}\` needs an entry in OPEN_INPUTS or classification.ts`).toBeDefined()
    const who = name === 'accounts.delete' ? 'leaving' : access!.kind === 'operator' ? 'operator' : 'own'
    // As the dashboard sends it: a batch, which may contain a call without an input.
    const json = JSON.stringify({ 0: inputOf!(who === 'leaving' ? leaving : victim) })
    const headers = access!.kind === 'open' ? undefined : { cookie: cookies[who] }
    const { status, text } =
      type === 'query'
        ? await request(shipped.root, 'GET', `/trpc/${name}?batch=1&input=${encodeURIComponent(json)}`, {
            ...(headers && { headers }),
          })
        : await request(shipped.root, 'POST', `/trpc/${name}?batch=1`, {
            headers: { ...headers, 'content-type': 'application/json' },
            body: json,
          })
    // A malformed call, or one without a valid session, would not reach the procedure.
    if (status >= 500 || status === 400 || (status === 401 && headers)) faults.push({ name, status, text })
  }
  expect(faults).toEqual([])
})

test('every stream', async () => {
  const victim = await createVictim(filler)
  const cookie = await signIn(victim.person.handle)
  for (const { name } of procedures.filter(({ type }) => type === 'subscription')) {
    const left = new AbortController()
    const access = classification[name]!
    const input = encodeURIComponent(JSON.stringify(access.kind === 'open' ? {} : access.input(victim)))
    const response = await fetch(`${shipped.root}/trpc/${name}?input=${input}`, {
      headers: { cookie },
      signal: left.signal,
    })
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    while (!/^id: /m.test(text) && !text.includes('serialized-error')) {
      const { value, done } = await reader.read()
      if (done) break
      text += value
    }
    left.abort()
    expect({ name, text }).toEqual({ name, text: expect.stringMatching(/^id: /m) })
  }
})

test('a passkey is registered, signs in and is used to confirm', async () => {
  const { api, key } = await signUpWithPasskey(shipped)
  const browser = dashboardClient(shipped)
  const response = key.answer(await browser.api.passkeys.startSignIn.mutate())
  await browser.api.passkeys.signIn.mutate({ response })
  const confirmation = key.answer(await api.passkeys.startConfirmation.mutate())
  expect(await errorCodeOf(api.passkeys.confirm.mutate({ response: confirmation }))).toBeUndefined()
})

test('every operation', async () => {
  const { person, space, path } = await createVictim(filler)
  const secrets = { space: await space.key(...SPACE_SCOPES), user: await person.token(...USER_SCOPES) }
  const rows = [...spaceOperations, ...userOperations].toSorted(
    (a, b) => Number(a.operation.method === 'DELETE') - Number(b.operation.method === 'DELETE'),
  )
  const faults: unknown[] = []
  for (const row of rows) {
    const { method, takesBody, meta } = row.operation
    const { status, text } = await request(shipped.root, method, pathOf(row, path), {
      headers: {
        authorization: `Bearer ${secrets[meta.api as 'space' | 'user']}`,
        ...(takesBody ? { 'content-type': 'application/json' } : {}),
      },
      ...(takesBody ? { body: JSON.stringify(bodyOf(row)) } : {}),
    })
    if (status >= 500) faults.push({ operation: row.title, status, text })
  }
  expect(faults).toEqual([])
})

test('every tool', async () => {
  const faults: unknown[] = []
  for (const server of toolServers) {
    const victim = await createVictim(filler)
    const secret =
      server.api.name === 'space'
        ? await victim.space.key(...SPACE_SCOPES)
        : await victim.person.token(...USER_SCOPES)
    const client = toolClient(shipped, server.path as ToolPath, secret, '2025-11-25')
    const tools = [...prepareServer(appRouter, server).tools].toSorted(
      ([a], [b]) => Number(a.startsWith('delete_')) - Number(b.startsWith('delete_')),
    )
    for (const [name, { operation }] of tools) {
      const access = classification[operation.name]!
      const { subdomain: _, ...args } = (access.kind === 'open' ? undefined : access.input(victim)) ?? {}
      const { result, error } = await client.send<{ isError?: boolean; content: { text: string }[] }>(
        'tools/call',
        { name, arguments: args },
      )
      const text = result?.content[0]?.text ?? ''
      if (error || (result.isError && (JSON.parse(text) as { status: number }).status >= 500))
        faults.push({ server: server.path, name, error, text })
    }
  }
  expect(faults).toEqual([])
})

/** Returns the paths that the facades declare, such as `/posts/:id`. */
const declaredPaths = () => {
  const files = readdirSync('facades', { recursive: true, encoding: 'utf8' }).filter(
    name => name.endsWith('.ts') && !name.startsWith('admin'),
  )
  return files.flatMap(name =>
    [...readFileSync(`facades/${name}`, 'utf8').matchAll(/\.(?:get|all)\('(\/[^']*)'/g)].map(
      match => match[1]!,
    ),
  )
}

test('every page', async () => {
  const { person, space, path, published } = await createVictim(filler)
  const { subdomain } = space
  const plain = await person.pages.create({ subdomain, slug: 'plain', html: '<p>x', kind: 'static' })
  const scripted = await person.pages.create({ subdomain, slug: 'scripted', html: '<p>x', kind: 'scripted' })
  const [link] = await person.previewLinks.list({ subdomain })
  const cookie = await signIn(person.handle)
  const { origin } = new URL(domains.apiRoot)
  const pages: Record<string, string> = {
    ...Object.fromEntries(
      [
        '/',
        '/healthz',
        '/healthz/request',
        '/readyz',
        '/readyz/process',
        '/admin',
        '/favicon.ico',
        '/following',
        '/docs',
        '/docs.md',
        '/llms.txt',
        '/.well-known/oauth-authorization-server',
        '/_fonts/LICENSE.txt',
        '/oauth/authorize',
        ...apis.flatMap(({ name, documentPath }) => [`/docs/${name}`, `/docs/${name}.md`, documentPath]),
        ...toolServers.map(server => server.path),
        ...toolServers.map(server => `/.well-known/oauth-protected-resource${server.path}`),
        '/.well-known/oauth-protected-resource/transfer',
      ].map(at => [at, origin + at]),
    ),
    '/@:handle': domains.profile(person.handle),
    '/@:handle/mute': `${domains.profile(person.handle)}/mute`,
    '/@:handle/suspension': `${domains.profile(person.handle)}/suspension`,
    '/posts/:id': domains.postPage(published),
    '/posts/:id/full': `${domains.postPage(published)}/full`,
    '/posts/:id/comments/:comment/edit': `${domains.postPage(published)}/comments/${path.comment_id}/edit`,
    '/posts/:id/report': `${domains.postPage(published)}/report`,
    '/admin/assets/:name': `${origin}/admin/assets/missing.js`,
    '/_front/:name': `${origin}/_front/dashboard-dark.webp`,
    '/_icons/:name': domains.icon('2222222222222222'),
    '/transfer': `${origin}/transfer`,
    '/transfer/:subdomain': `${origin}/transfer/${subdomain}`,
    '/transfer/:subdomain/items': `${origin}/transfer/${subdomain}/items`,
    '/transfer/:subdomain/changes': `${origin}/transfer/${subdomain}/changes`,
    '/transfer/:subdomain/undo': `${origin}/transfer/${subdomain}/undo`,
    '/transfer/:subdomain/restore': `${origin}/transfer/${subdomain}/restore`,
    '/uploads/:token': domains.upload('a'.repeat(43)),
    ...Object.fromEntries(
      [
        '',
        '/articles',
        '/articles.atom',
        '/sitemap.xml',
        '/sitemap-1.xml',
        '/robots.txt',
        '/favicon.ico',
      ].map(at => [`site ${at}`, domains.site(subdomain) + at]),
    ),
    'static page': domains.page(subdomain, plain.slug),
    'scripted page': domains.page(subdomain, scripted.slug),
    'frame of a scripted page': domains.pageOrigin(scripted.id),
    preview: domains.preview('2222222222222222'),
    'preview link': link!.url,
    file: domains.file(path.file_id!),
    post: domains.post(published),
  }
  const missing = declaredPaths().filter(declared => !(declared in pages) && declared !== '/LICENSE.txt')
  expect(missing, 'add an address for each of these paths').toEqual([])
  const faults: unknown[] = []
  for (const [name, address] of Object.entries(pages)) {
    const { host, pathname } = new URL(address)
    const { status, text } = await request(shipped.root, 'GET', pathname, { headers: { host, cookie } })
    if (status >= 500) faults.push({ name, status, text })
  }
  expect(faults).toEqual([])
})

test('the program has logged no fault', () => {
  expect(program.log().match(/"level":[56]0.*/g) ?? []).toEqual([])
})
