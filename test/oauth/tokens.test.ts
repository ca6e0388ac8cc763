import { describe, expect, test } from 'vitest'
import { isSecret } from '../../routers/api/secret.ts'
import {
  approved,
  connect,
  exchange,
  isAccepted,
  pkce,
  post,
  register,
  renew,
  useTestServiceWithoutLimits,
} from './support/flow.ts'

const service = useTestServiceWithoutLimits()

describe('an authorization code', () => {
  test('is exchanged for a User API token with the chosen scopes, valid for an hour', async () => {
    const given = await approved(service, ['posts', 'profile'])
    const { status, headers, body } = await exchange(service, given)
    expect(status).toBe(200)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(body).toEqual({
      access_token: expect.stringMatching(/^ss_ut_\w{38}$/) as string,
      token_type: 'Bearer',
      expires_in: 3600,
      refresh_token: expect.stringMatching(/^ss_rt_\w{70}$/) as string,
      scope: 'posts profile',
    })
    const api = service.rest(String(body.access_token))
    expect((await api.get('/me')).body.scopes).toEqual(['posts', 'profile'])
    expect((await api.put('/posts/2222222222222222/like')).status).toBe(403)
  })

  test('is rejected when its client uses it again, which revokes the grant', async () => {
    const given = await approved(service)
    const first = await exchange(service, given)
    const second = await exchange(service, given)
    expect(second).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    expect(await isAccepted(service, String(first.body.access_token))).toBe(false)
    expect((await given.person.tokens.list()).filter(({ client_id }) => client_id)).toEqual([])
    expect((await exchange(service, given)).status).toBe(400)
  })

  test('returns a token to only one of several concurrent requests, and the others revoke that token', async () => {
    const given = await approved(service)
    const responses = await Promise.all(Array.from({ length: 6 }, () => exchange(service, given)))
    const tokens = responses
      .filter(({ status }) => status === 200)
      .map(({ body }) => String(body.access_token))
    expect(tokens).toHaveLength(1)
    expect(await isAccepted(service, tokens[0]!)).toBe(false)
  })

  test.each([
    ['from another client', async () => ({ clientId: await register(service) })],
    ['with another verifier', () => ({ verifier: pkce().verifier })],
    ['with a verifier that is too short', () => ({ verifier: 'short' })],
    ['with a guessed code', () => ({ code: pkce().verifier })],
  ])('is rejected %s, and then still works for its own client', async (_, changes) => {
    const given = await approved(service)
    const wrong = await exchange(service, { ...given, ...(await changes()) })
    expect(wrong).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    expect((await exchange(service, given)).status).toBe(200)
  })

  test.each([
    ['redirect_uri', 'https://client.example/other', 'invalid_grant'],
    ['redirect_uri', '', 'invalid_grant'],
    ['resource', 'http://localhost/mcp', 'invalid_target'],
    ['resource', 'http://localhost/user-mcp/', 'invalid_target'],
    ['code_verifier', '', 'invalid_request'],
    ['code', '', 'invalid_request'],
    ['grant_type', '', 'invalid_request'],
    ['grant_type', 'password', 'unsupported_grant_type'],
    ['grant_type', 'client_credentials', 'unsupported_grant_type'],
  ])('is refused if the request has the %s %j: %s', async (field, value, error) => {
    const { clientId, code, verifier } = await approved(service)
    const fields = {
      grant_type: 'authorization_code',
      client_id: clientId,
      code,
      code_verifier: verifier,
      redirect_uri: 'https://client.example/callback',
    }
    const wrong = await post(service, '/oauth/token', { ...fields, [field]: value })
    expect(wrong).toMatchObject({ status: 400, body: { error } })
    expect((await post(service, '/oauth/token', fields)).status).toBe(200)
  })

  test('can be exchanged without redirect_uri', async () => {
    const { clientId, code, verifier } = await approved(service)
    const { status } = await post(service, '/oauth/token', {
      grant_type: 'authorization_code',
      client_id: clientId,
      code,
      code_verifier: verifier,
    })
    expect(status).toBe(200)
  })

  test('expires after a minute', async () => {
    const given = await approved(service)
    const { database } = service.core
    await database.orm.em
      .fork()
      .execute(`update oauth_codes set expires_at = expires_at - interval '60 seconds'`)
    expect(await exchange(service, given)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  })

  test('stops working when the account that approved it is deleted', async () => {
    const given = await approved(service)
    await given.person.accounts.delete({ confirm: given.person.handle })
    expect(await exchange(service, given)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  })
})

describe('a client', () => {
  test.each([
    ['unknown', { client_id: 'A'.repeat(22) }],
    ['malformed', { client_id: 'nobody' }],
    ['absent', {}],
    ['an http URL', { client_id: 'http://client.example/me.json' }],
    ['a URL without a path', { client_id: 'https://client.example/' }],
  ])('is refused with 401 if its id is %s', async (_, fields) => {
    for (const path of ['/oauth/token', '/oauth/revoke']) {
      const sent = { grant_type: 'refresh_token', refresh_token: 'x', token: 'x', ...fields }
      expect(await post(service, path, sent as Record<string, string>)).toMatchObject({
        status: 401,
        body: { error: 'invalid_client' },
      })
    }
  })
})

describe('a refresh', () => {
  test('replaces both tokens and keeps the entry in the token list', async () => {
    const client = await connect(service, ['posts'])
    const [before] = await client.person.tokens.list()
    const { status, body } = await renew(service, client)
    expect(status).toBe(200)
    expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: 'posts' })
    expect(isSecret('user_token', String(body.access_token))).toBe(true)
    expect(isSecret('refresh_token', String(body.refresh_token))).toBe(true)
    expect(await isAccepted(service, client.access)).toBe(false)
    expect(await isAccepted(service, String(body.access_token))).toBe(true)
    const [after] = await client.person.tokens.list()
    const { id, label, scopes, created_at, client_id } = before!
    expect(after).toMatchObject({ id, label, scopes, created_at, client_id })
    expect(after!.hint).toBe(`${String(body.access_token).slice(0, 10)}…`)
  })

  test('works again with each new refresh token', async () => {
    let { clientId, access, refresh } = await connect(service)
    for (let i = 0; i < 5; i++) {
      const { body } = await renew(service, { clientId, refresh })
      access = String(body.access_token)
      refresh = String(body.refresh_token)
    }
    expect(await isAccepted(service, access)).toBe(true)
  })

  test('returns the same tokens to concurrent requests with the same refresh token', async () => {
    const client = await connect(service)
    const responses = await Promise.all(Array.from({ length: 5 }, () => renew(service, client)))
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect(new Set(responses.map(({ body }) => body.access_token)).size).toBe(1)
    expect(new Set(responses.map(({ body }) => body.refresh_token)).size).toBe(1)
    expect(await isAccepted(service, String(responses[0]!.body.access_token))).toBe(true)
    const next = String(responses[4]!.body.refresh_token)
    expect((await renew(service, { ...client, refresh: next })).status).toBe(200)
  })

  test('says how long the same access token still works', async () => {
    const client = await connect(service)
    const { body } = await renew(service, client)
    expect(body.expires_in).toBe(3600)
    const { database } = service.core
    await database.orm.em
      .fork()
      .execute(`update oauth_grants set refreshed_at = refreshed_at - interval '2 seconds'`)
    const again = await renew(service, client)
    expect(again.body.access_token).toBe(body.access_token)
    expect(Number(again.body.expires_in)).toBeLessThanOrEqual(3598)
    expect(Number(again.body.expires_in)).toBeGreaterThan(3500)
  })

  test('ends the grant if its refresh token was used more than 30 s ago', async () => {
    const client = await connect(service)
    const { body } = await renew(service, client)
    const { database } = service.core
    await database.orm.em
      .fork()
      .execute(`update oauth_grants set refreshed_at = refreshed_at - interval '31 seconds'`)
    expect(await renew(service, client)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    expect(await isAccepted(service, String(body.access_token))).toBe(false)
    expect((await renew(service, { ...client, refresh: String(body.refresh_token) })).status).toBe(400)
    expect((await client.person.tokens.list()).filter(({ client_id }) => client_id)).toEqual([])
  })

  test('ends the grant if its refresh token was replaced twice', async () => {
    const client = await connect(service)
    const { body } = await renew(service, client)
    const next = await renew(service, { ...client, refresh: String(body.refresh_token) })
    expect((await renew(service, client)).status).toBe(400)
    expect(await isAccepted(service, String(next.body.access_token))).toBe(false)
  })

  test('is refused if another client sends it, and does not affect the grant', async () => {
    const client = await connect(service)
    const other = await register(service)
    expect((await renew(service, { ...client, clientId: other })).status).toBe(400)
    expect(await isAccepted(service, client.access)).toBe(true)
    expect((await renew(service, client)).status).toBe(200)
  })

  test.each(['', 'x', `ss_rt_${'A'.repeat(70)}`])('is refused with %j', async refresh => {
    const client = await connect(service)
    expect((await renew(service, { ...client, refresh })).status).toBe(400)
    expect(await isAccepted(service, client.access)).toBe(true)
  })

  test('cannot add scopes to the grant', async () => {
    const { clientId, refresh, access } = await connect(service, ['posts'])
    const ask = (scope: string) =>
      post(service, '/oauth/token', {
        grant_type: 'refresh_token',
        client_id: clientId,
        refresh_token: refresh,
        scope,
      })
    expect(await ask('posts profile')).toMatchObject({ status: 400, body: { error: 'invalid_scope' } })
    expect(await isAccepted(service, access)).toBe(true)
    expect(await ask('posts')).toMatchObject({ status: 200, body: { scope: 'posts' } })
  })

  test('is refused after three months without a refresh', async () => {
    const client = await connect(service)
    const { database } = service.core
    await database.orm.em
      .fork()
      .execute(`update oauth_grants set refreshed_at = refreshed_at - interval '90 days'`)
    expect((await renew(service, client)).status).toBe(400)
  })
})

describe('the call limit', () => {
  const limited = useTestServiceWithoutLimits({ callsPerMinute: 4 })

  test('counts the calls with all tokens of a grant together', async () => {
    const client = await connect(limited)
    const call = async (token: string) => (await limited.rest(token).get('/me')).status
    expect([await call(client.access), await call(client.access)]).toEqual([200, 200])
    const { body } = await renew(limited, client)
    const access = String(body.access_token)
    expect([await call(access), await call(access), await call(access)]).toEqual([200, 200, 429])
  })
})

describe('a grant', () => {
  test('is one entry in the token list, named after the client', async () => {
    const { person, clientId, access } = await connect(service, ['likes'])
    const ours = (await person.tokens.list()).filter(({ client_id }) => client_id !== null)
    expect(ours).toEqual([
      expect.objectContaining({
        label: 'Test client',
        client_id: clientId,
        scopes: ['likes'],
        hint: `${access.slice(0, 10)}…`,
      }),
    ])
  })

  test('works for the tool server and for REST, with its scopes only', async () => {
    const { person, access } = await connect(service, ['posts'])
    const { body } = await service.rest(access, '').post<{ result: { tools: unknown[] } }>('/user-mcp', {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/list',
    })
    expect(body.result.tools.length).toBeGreaterThan(0)
    expect((await service.rest(access).get('/me')).body.handle).toBe(person.handle)
    expect((await service.rest(access).patch('/me', { bio: 'x' })).status).toBe(403)
    expect((await service.rest(access, '').post('/mcp', {})).status).toBe(401)
  })

  test('ends at once when it is revoked in the token list', async () => {
    const { person, clientId, access, refresh } = await connect(service)
    const { id } = (await person.tokens.list()).find(({ client_id }) => client_id === clientId)!
    expect(await isAccepted(service, access)).toBe(true)
    await person.tokens.revoke({ token_id: id })
    expect(await isAccepted(service, access)).toBe(false)
    expect((await renew(service, { clientId, refresh })).status).toBe(400)
  })

  test('ends if it is revoked during a refresh, whichever of the two is first', async () => {
    for (let i = 0; i < 5; i++) {
      const { person, clientId, refresh } = await connect(service)
      const { id } = (await person.tokens.list()).find(({ client_id }) => client_id === clientId)!
      const [renewed] = await Promise.all([
        renew(service, { clientId, refresh }),
        person.tokens.revoke({ token_id: id }),
      ])
      expect([200, 400]).toContain(renewed.status)
      expect(await isAccepted(service, String(renewed.body.access_token))).toBe(false)
    }
  })

  test.each(['access', 'refresh'] as const)('ends when the client revokes the %s token', async which => {
    const client = await connect(service)
    const other = await register(service)
    const revokeAs = (client_id: string) =>
      post(service, '/oauth/revoke', { client_id, token: client[which] })
    expect((await revokeAs(other)).status).toBe(200)
    expect(await isAccepted(service, client.access)).toBe(true)
    expect((await revokeAs(client.clientId)).status).toBe(200)
    expect(await isAccepted(service, client.access)).toBe(false)
    expect((await renew(service, client)).status).toBe(400)
    expect((await revokeAs(client.clientId)).status).toBe(200)
  })

  test('does not allow the client to revoke tokens that a person created', async () => {
    const { person, clientId } = await connect(service)
    const token = await person.token('posts')
    await post(service, '/oauth/revoke', { client_id: clientId, token })
    expect(await isAccepted(service, token)).toBe(true)
  })

  test('has access tokens that expire after an hour', async () => {
    const { access } = await connect(service)
    const { database } = service.core
    await database.orm.em.fork().execute(`update user_tokens set expires_at = expires_at - interval '1 hour'`)
    expect(await isAccepted(service, access)).toBe(false)
  })

  test('stores its secrets as hashes and keeps them out of the log', async () => {
    const client = await connect(service)
    const { body } = await renew(service, client)
    const rows = await service.core.database.orm.em
      .fork()
      .execute<object[]>(
        `select t::text, encode(g.salt, 'escape') from user_tokens t join oauth_grants g on g.token_id = t.id`,
      )
    const stored = JSON.stringify(rows) + JSON.stringify(service.log)
    const secrets = [client.code, client.verifier, client.access, client.refresh]
    for (const secret of [...secrets, String(body.access_token), String(body.refresh_token)])
      expect(stored).not.toContain(secret.slice(10))
  })
})
