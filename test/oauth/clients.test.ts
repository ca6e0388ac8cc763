import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { documentFetcher } from '../../facades/oauth/fetch-document.ts'
import { clientDocuments, isDocumentId } from '../../routers/credentials/oauth/client-documents.ts'
import { useTestService } from '../support/test-service.ts'
import { CERTIFICATE, type DocumentHost, documentHost } from './support/document-host.ts'
import {
  authorizationQuery,
  CALLBACK,
  exchange,
  type Json,
  pkce,
  register,
  sendRegistration,
  signedInBrowser,
  TestBrowser,
  useTestServiceWithoutLimits,
} from './support/flow.ts'

const { verifier, challenge } = pkce()

describe('registration', () => {
  const service = useTestServiceWithoutLimits()

  test('returns a client id and never a secret', async () => {
    const { status, headers, body } = await sendRegistration(service, {
      client_name: '  My\n client ',
      redirect_uris: [CALLBACK, 'http://localhost/cb'],
      token_endpoint_auth_method: 'client_secret_basic',
      software_id: 'ignored',
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
    ['a list instead of an object', [1], 'invalid_client_metadata'],
    ['no redirect_uris', {}, 'invalid_redirect_uri'],
    ['an empty redirect_uris list', { redirect_uris: [] }, 'invalid_redirect_uri'],
    [
      'too many redirect_uris',
      { redirect_uris: Array.from({ length: 11 }, () => CALLBACK) },
      'invalid_redirect_uri',
    ],
    ['a redirect_uri that is a number', { redirect_uris: [1] }, 'invalid_redirect_uri'],
    [
      'a javascript: redirect_uri',
      { redirect_uris: [CALLBACK, 'javascript:alert(1)'] },
      'invalid_redirect_uri',
    ],
    ['an http redirect_uri', { redirect_uris: ['http://client.example/'] }, 'invalid_redirect_uri'],
    ['a name that is not a string', { redirect_uris: [CALLBACK], client_name: 1 }, 'invalid_client_metadata'],
    [
      'unsupported grant_types only',
      { redirect_uris: [CALLBACK], grant_types: ['client_credentials'] },
      'invalid_client_metadata',
    ],
    [
      'unsupported response_types only',
      { redirect_uris: [CALLBACK], response_types: ['token'] },
      'invalid_client_metadata',
    ],
  ])('is refused for metadata with %s', async (_, metadata, error) => {
    expect(await sendRegistration(service, metadata)).toMatchObject({ status: 400, body: { error } })
  })

  test.each([
    [{ grant_types: null }, 'invalid_client_metadata', 'grant_types must be a list of strings'],
    [{ client_name: null }, 'invalid_client_metadata', 'client_name must be a string'],
    [{ redirect_uris: null }, 'invalid_redirect_uri', 'redirect_uris must be a list of 1 to 10 addresses'],
    [
      { redirect_uris: [], response_types: 1 },
      'invalid_client_metadata',
      'redirect_uris must be a list of 1 to 10 addresses; response_types must be a list of strings',
    ],
  ])('names only the fields that are wrong in %j', async (metadata, error, error_description) => {
    const sent = { client_name: 'Test', redirect_uris: [CALLBACK], ...metadata }
    expect(await sendRegistration(service, sent)).toMatchObject({ body: { error, error_description } })
  })

  test.each([
    ['malformed JSON', '{', 'application/json', 400],
    ['another content type', '{}', 'text/plain', 400],
    ['too many bytes', `"${'x'.repeat(40_000)}"`, 'application/json', 413],
  ])('is refused for a body with %s', async (_, body, type, status) => {
    const response = await fetch(`${service.root}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': type },
      body,
    })
    expect(response.status).toBe(status)
    expect(await response.json()).toHaveProperty('error')
  })

  test('is deleted after a day unless a person has approved the client', async () => {
    const [unused, used] = [await register(service), await register(service)]
    const { browser } = await signedInBrowser(service)
    await browser.decide(await browser.authorize(authorizationQuery(service, used, challenge)), 'allow')
    await service.core.database.orm.em
      .fork()
      .execute(`update oauth_clients set created_at = created_at - interval '25 hours'`)
    await register(service)
    expect((await browser.authorize(authorizationQuery(service, used, challenge))).status).toBe(200)
    expect((await browser.authorize(authorizationQuery(service, unused, challenge))).status).toBe(400)
  })

  test('is deleted after three months without a token', async () => {
    const [abandoned, connected] = [await register(service), await register(service)]
    const { browser } = await signedInBrowser(service)
    for (const clientId of [abandoned, connected]) {
      const page = await browser.authorize(authorizationQuery(service, clientId, challenge))
      const code = (await browser.decide(page, 'allow')).location!.searchParams.get('code')!
      if (clientId === connected) await exchange(service, { clientId, code, verifier })
    }
    await service.core.database.orm.em
      .fork()
      .execute(`update oauth_clients set approved_at = approved_at - interval '91 days'`)
    await register(service)
    expect((await browser.authorize(authorizationQuery(service, connected, challenge))).status).toBe(200)
    expect((await browser.authorize(authorizationQuery(service, abandoned, challenge))).status).toBe(400)
  })

  test('replaces the oldest unused registration of the network that has the most, if there are very many', async () => {
    const em = service.core.database.orm.em.fork()
    const ids = async () =>
      (await em.execute<{ id: string }[]>('select id from oauth_clients where approved_at is null')).map(
        ({ id }) => id,
      )
    await em.execute('delete from oauth_clients')
    await em.execute(
      `insert into oauth_clients (id, name, redirect_uris, created_at, network)
         select 'many' || n, 'x', '{}'::text[], now() - (10000 - n) * interval '1 second', '192.0.2.1'
         from generate_series(1, 9999) n
         union all select 'other', 'x', '{}'::text[], now() - interval '20 hours', '198.51.100.7'`,
    )
    const clientId = await register(service)
    const left = await ids()
    expect(left).toHaveLength(10_000)
    expect(left).toContain('other')
    expect(left).toContain(clientId)
    expect(left).not.toContain('many1')
  })
})

describe('a network address', () => {
  const service = useTestService({ appRegistrationsPerClient: 3 })

  test('can register no more clients in 15 minutes than configured', async () => {
    const responses = []
    for (let i = 0; i < 4; i++) responses.push(await sendRegistration(service, { redirect_uris: [CALLBACK] }))
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(3)
    expect(responses.at(-1)).toMatchObject({ status: 429, body: { error: 'temporarily_unavailable' } })
    expect(Number(responses.at(-1)!.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  test('can trigger no more fetches of metadata documents in 15 minutes than configured', async () => {
    const browser = new TestBrowser(service.root)
    const statuses = []
    for (let i = 0; i < 4; i++)
      statuses.push(
        (await browser.authorize(authorizationQuery(service, `https://127.0.0.1/${i}`, challenge))).status,
      )
    expect(statuses.filter(status => status === 400)).toHaveLength(3)
    expect(statuses.at(-1)).toBe(429)
  })
})

describe('the URL of a metadata document as client id', () => {
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
  ])('%s is allowed: %s', (id, expected) => {
    expect(isDocumentId(id)).toBe(expected)
  })
})

describe('a client with a metadata document', () => {
  const service = useTestServiceWithoutLimits()
  let host: DocumentHost
  let documents: Record<string, Json>
  beforeAll(async () => {
    host = await documentHost((req, res) => {
      const document = documents[req.url ?? '']
      res
        .writeHead(document ? 200 : 404, { 'content-type': 'application/json' })
        .end(JSON.stringify(document ?? {}))
    })
    service.core.oauth.documents = clientDocuments(
      documentFetcher({
        resolve: () => Promise.resolve(['127.0.0.1']),
        isAllowed: () => true,
        ca: CERTIFICATE,
        timeout: 60_000,
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

  test('connects without registration, and the consent page names the host of its document', async () => {
    publish()
    const { person, browser } = await signedInBrowser(service)
    const page = await browser.authorize(authorizationQuery(service, id, challenge))
    expect(page.text).toContain('Described client')
    expect(page.text).toContain(`Published by <b>client.test:${host.port}</b>`)
    expect(page.text).not.toContain('Unverified')
    const code = (await browser.decide(page, 'allow')).location!.searchParams.get('code')!
    expect((await exchange(service, { clientId: id, code, verifier })).status).toBe(200)
    expect(await person.tokens.list()).toContainEqual(
      expect.objectContaining({ label: 'Described client', client_id: id }),
    )
  })

  test('has its document fetched once and cached, even for concurrent requests', async () => {
    publish()
    const browser = new TestBrowser(service.root)
    const before = host.requests.length
    const query = authorizationQuery(service, id, challenge)
    await Promise.all(Array.from({ length: 5 }, () => browser.authorize(query)))
    await browser.authorize(query)
    expect(host.requests).toHaveLength(before + 1)
  })

  test.each<[string, Json]>([
    ['has another client_id', { client_id: 'https://other.test/x' }],
    ['has no client_id', { client_id: undefined }],
    ['holds a secret', { client_secret: 'x' }],
    ['uses a client secret', { token_endpoint_auth_method: 'client_secret_post' }],
    ['has no redirect_uris', { redirect_uris: undefined }],
    ['has a javascript: redirect_uri', { redirect_uris: ['javascript:alert(1)'] }],
    ['has other redirect_uris', { redirect_uris: ['https://client.example/other'] }],
  ])('is refused when its document %s', async (_, changes) => {
    publish(changes)
    const { status, location, text } = await new TestBrowser(service.root).authorize(
      authorizationQuery(service, id, challenge),
    )
    expect({ status, location }).toEqual({ status: 400, location: null })
    expect(text).toContain('Cannot connect this app')
  })

  test('is refused if its document is missing, and the page says why', async () => {
    const { status, text } = await new TestBrowser(service.root).authorize(
      authorizationQuery(service, id, challenge),
    )
    expect(status).toBe(400)
    expect(text).toContain('could not be read: its host returned 404 instead of 200')
  })
})
