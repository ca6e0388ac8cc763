import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { documentFetcher } from '../../facades/oauth/fetch-document.ts'
import { clientDocuments, isDocumentId } from '../../routers/credentials/oauth/documents.ts'
import { useWorld } from '../support/world.ts'
import { CERTIFICATE, type DocumentHost, documentHost } from './support/document-host.ts'
import {
  CALLBACK,
  exchange,
  type Json,
  pkce,
  register,
  requestOf,
  signedInBrowser,
  TestBrowser,
  tryToRegister,
  useUnlimitedWorld,
} from './support/flow.ts'

const { verifier, challenge } = pkce()

describe('registering', () => {
  const world = useUnlimitedWorld()

  test('gives a client an id and no secret, whatever it asks for', async () => {
    const { status, headers, body } = await tryToRegister(world, {
      client_name: '  My\n client ',
      redirect_uris: [CALLBACK, 'http://localhost/cb'],
      token_endpoint_auth_method: 'client_secret_basic',
      software_id: 'passed over',
    })
    expect(status).toBe(201)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(body).toEqual({
      client_id: expect.stringMatching(/^\w{22}$/) as string,
      client_id_issued_at: expect.any(Number) as number,
      client_name: 'My client',
      redirect_uris: [CALLBACK, 'http://localhost/cb'],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    })
  })

  test.each([
    ['a list and no object', [1], 'invalid_client_metadata'],
    ['no address', {}, 'invalid_redirect_uri'],
    ['an empty list of addresses', { redirect_uris: [] }, 'invalid_redirect_uri'],
    [
      'too many addresses',
      { redirect_uris: Array.from({ length: 11 }, () => CALLBACK) },
      'invalid_redirect_uri',
    ],
    ['an address that is a number', { redirect_uris: [1] }, 'invalid_redirect_uri'],
    [
      'an address that is a script',
      { redirect_uris: [CALLBACK, 'javascript:alert(1)'] },
      'invalid_redirect_uri',
    ],
    ['an address without TLS', { redirect_uris: ['http://client.example/'] }, 'invalid_redirect_uri'],
    ['a name that is no text', { redirect_uris: [CALLBACK], client_name: 1 }, 'invalid_client_metadata'],
    [
      'another kind of grant only',
      { redirect_uris: [CALLBACK], grant_types: ['client_credentials'] },
      'invalid_client_metadata',
    ],
    [
      'another kind of answer only',
      { redirect_uris: [CALLBACK], response_types: ['token'] },
      'invalid_client_metadata',
    ],
  ])('with %s is refused', async (_, metadata, error) => {
    expect(await tryToRegister(world, metadata)).toMatchObject({ status: 400, body: { error } })
  })

  test.each([
    ['text that is no JSON', '{', 'application/json', 400],
    ['another type', '{}', 'text/plain', 400],
    ['too many bytes', `"${'x'.repeat(40_000)}"`, 'application/json', 413],
  ])('with %s is refused', async (_, body, type, status) => {
    const answer = await fetch(`${world.root}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': type },
      body,
    })
    expect(answer.status).toBe(status)
    expect(await answer.json()).toHaveProperty('error')
  })

  test('is forgotten after a day when nobody lets the client in, and kept when somebody does', async () => {
    const [unused, used] = [await register(world), await register(world)]
    const { browser } = await signedInBrowser(world)
    await browser.answer(await browser.ask(requestOf(world, used, challenge)), 'allow')
    await world.service.core.orm.em
      .fork()
      .execute(`update oauth_clients set created_at = created_at - interval '25 hours'`)
    await register(world)
    expect((await browser.ask(requestOf(world, used, challenge))).status).toBe(200)
    expect((await browser.ask(requestOf(world, unused, challenge))).status).toBe(400)
  })

  test('is forgotten after three months once no token is left', async () => {
    const [over, held] = [await register(world), await register(world)]
    const { browser } = await signedInBrowser(world)
    for (const clientId of [over, held]) {
      const page = await browser.ask(requestOf(world, clientId, challenge))
      const code = (await browser.answer(page, 'allow')).location!.searchParams.get('code')!
      if (clientId === held) await exchange(world, { clientId, code, verifier })
    }
    await world.service.core.orm.em
      .fork()
      .execute(`update oauth_clients set approved_at = approved_at - interval '91 days'`)
    await register(world)
    expect((await browser.ask(requestOf(world, held, challenge))).status).toBe(200)
    expect((await browser.ask(requestOf(world, over, challenge))).status).toBe(400)
  })

  test('ends when too many registrations are unused', async () => {
    await world.service.core.orm.em.fork().execute(
      `insert into oauth_clients (id, name, redirect_uris, created_at)
         select 'many' || n, 'x', '{}', now() from generate_series(1, 10000) n`,
    )
    const answer = await tryToRegister(world, { redirect_uris: [CALLBACK] })
    expect(answer).toMatchObject({ status: 429, body: { error: 'temporarily_unavailable' } })
    expect(answer.headers.get('retry-after')).toBe('3600')
  })
})

describe('one network address', () => {
  const world = useWorld()

  test('registers 60 clients in a quarter of an hour', async () => {
    const answers = []
    for (let i = 0; i < 61; i++) answers.push(await tryToRegister(world, { redirect_uris: [CALLBACK] }))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(60)
    expect(answers.at(-1)).toMatchObject({ status: 429, body: { error: 'temporarily_unavailable' } })
    expect(Number(answers.at(-1)!.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  test('makes us look for 60 descriptions in a quarter of an hour', async () => {
    const browser = new TestBrowser(world.root)
    const statuses = []
    for (let i = 0; i < 61; i++)
      statuses.push((await browser.ask(requestOf(world, `https://127.0.0.1/${i}`, challenge))).status)
    expect(statuses.filter(status => status === 400)).toHaveLength(60)
    expect(statuses.at(-1)).toBe(429)
  })
})

describe('an id that is an address', () => {
  test.each([
    ['https://client.example/me.json', true],
    ['https://client.example/a?b=c', true],
    ['https://client.example', false],
    ['https://client.example/', false],
    ['http://client.example/me.json', false],
    ['https://client.example/me.json#x', false],
    ['https://a@client.example/me.json', false],
    ['https://client.example/a/../me.json', false],
    ['https://CLIENT.example/me.json', false],
    ['https://client.example:443/me.json', false],
    ['ftp://client.example/me.json', false],
  ])('may be %s: %s', (id, expected) => {
    expect(isDocumentId(id)).toBe(expected)
  })
})

describe('a client that is described at its own address', () => {
  const world = useUnlimitedWorld()
  let host: DocumentHost
  let documents: Record<string, Json>
  beforeAll(async () => {
    host = await documentHost((req, res) => {
      const document = documents[req.url ?? '']
      res
        .writeHead(document ? 200 : 404, { 'content-type': 'application/json' })
        .end(JSON.stringify(document ?? {}))
    })
    world.service.core.oauth.documents = clientDocuments(
      documentFetcher({
        resolve: () => Promise.resolve(['127.0.0.1']),
        isAllowed: () => true,
        ca: CERTIFICATE,
      }),
    )
  })
  afterAll(() => host.close())
  let count = 0
  let id: string
  beforeEach(() => {
    id = `${host.origin}/${++count}`
    documents = {}
  })
  const publish = (changes: Json = {}) => {
    const { pathname } = new URL(id)
    documents[pathname] = {
      client_id: id,
      client_name: 'Described client',
      redirect_uris: [CALLBACK],
      ...changes,
    }
  }

  test('is connected without registering, and shown with the host that vouches for it', async () => {
    publish()
    const { person, browser } = await signedInBrowser(world)
    const page = await browser.ask(requestOf(world, id, challenge))
    expect(page.text).toContain('Described client')
    expect(page.text).toContain(`Described by <b>client.test:${host.port}</b>`)
    expect(page.text).not.toContain('Unverified')
    const code = (await browser.answer(page, 'allow')).location!.searchParams.get('code')!
    expect((await exchange(world, { clientId: id, code, verifier })).status).toBe(200)
    expect(await person.tokens.list()).toContainEqual(
      expect.objectContaining({ label: 'Described client', client_id: id }),
    )
  })

  test('is fetched once for a while, also when many ask at once', async () => {
    publish()
    const browser = new TestBrowser(world.root)
    const before = host.requests.length
    const query = requestOf(world, id, challenge)
    await Promise.all(Array.from({ length: 5 }, () => browser.ask(query)))
    await browser.ask(query)
    expect(host.requests).toHaveLength(before + 1)
  })

  test.each<[string, Json]>([
    ['names another id', { client_id: 'https://other.test/x' }],
    ['names no id', { client_id: undefined }],
    ['holds a secret', { client_secret: 'x' }],
    ['asks for a secret', { token_endpoint_auth_method: 'client_secret_post' }],
    ['has no address', { redirect_uris: undefined }],
    ['has an address that is a script', { redirect_uris: ['javascript:alert(1)'] }],
    ['has other addresses', { redirect_uris: ['https://client.example/other'] }],
  ])('is refused when its document %s', async (_, changes) => {
    publish(changes)
    const { status, location, text } = await new TestBrowser(world.root).ask(requestOf(world, id, challenge))
    expect({ status, location }).toEqual({ status: 400, location: null })
    expect(text).toContain('This connection cannot be made')
  })

  test('is refused with the reason when its document is not there', async () => {
    const { status, text } = await new TestBrowser(world.root).ask(requestOf(world, id, challenge))
    expect(status).toBe(400)
    expect(text).toContain('could not be read: its host answered 404 and not 200')
  })
})
