import { describe, expect, test } from 'vitest'
import { limits } from '../../routers/api/rules.ts'
import { copyCredential } from '../support/copies.ts'
import { PASSWORD, post, register, useTestServiceWithoutLimits } from './support/flow.ts'
import { ALL, spaceFlow } from './support/space-flow.ts'

const service = useTestServiceWithoutLimits()
const { ask, exchange, refresh, browserOf, connect, call, subdomainOf } = spaceFlow(service)

type Connected = Awaited<ReturnType<typeof connect>>

describe('a client connected to a space', () => {
  test('gets a key for that space with the chosen scopes, and the key is in the list of keys', async () => {
    const { space, access_token, clientId } = await connect(['pages', 'data'])
    expect(access_token).toMatch(/^ss_sk_\w{38}$/)
    expect(await subdomainOf(access_token)).toBe(space.subdomain)
    const [key] = await space.owner.keys.list({ subdomain: space.subdomain })
    expect(key).toMatchObject({
      label: 'Test client',
      client_id: clientId,
      client: { host: null, sends_to: ['client.example'] },
      scopes: ['pages', 'data'],
      expires_at: null,
      issuer: space.owner.handle,
    })
  })

  test('is told to connect again if it lacks a permission', async () => {
    const { access_token } = await connect(['data'])
    const [problem, advice] = (await call(access_token, 'list_pages')).result!.content
    expect(JSON.parse(problem!.text)).toMatchObject({ code: 'insufficient_scope' })
    expect(advice!.text).toContain('connect the app again')
  })

  test('can make calls from a web page of any origin', async () => {
    const { access_token, space } = await connect()
    const { status, headers, result } = await call(access_token, 'get_space', {
      origin: 'https://agent.example',
    })
    expect(status).toBe(200)
    expect(headers['access-control-allow-origin']).toBe('*')
    expect(result?.structuredContent).toMatchObject({ subdomain: space.subdomain })
  })

  test('gets new secrets on refresh, but keeps its rate limit count and its entry in the list of keys', async () => {
    const { space, clientId, access_token, refresh_token } = await connect()
    const { headers } = await call(access_token, 'get_space')
    const [before] = await space.owner.keys.list({ subdomain: space.subdomain })
    const { status, body } = await refresh(clientId, refresh_token, { resource: 'http://localhost/mcp' })
    expect(status).toBe(200)
    expect(body.access_token).toMatch(/^ss_sk_/)
    expect(await subdomainOf(access_token)).toBeUndefined()
    const next = await call(String(body.access_token), 'get_space')
    expect(Number(next.headers['ratelimit-remaining'])).toBe(Number(headers['ratelimit-remaining']) - 1)
    const [after] = await space.owner.keys.list({ subdomain: space.subdomain })
    expect(after!.id).toBe(before!.id)
  })

  test('does not use up its rate limit with calls that still send its old secret', async () => {
    const { space, clientId, access_token, refresh_token } = await connect()
    const read = (secret: unknown) => service.rest(String(secret)).get(`/spaces/${space.subdomain}`)
    const before = await read(access_token)
    const { body } = await refresh(clientId, refresh_token)
    expect((await read(access_token)).status).toBe(401)
    const after = await read(body.access_token)
    const remaining = ({ headers }: typeof before) => Number(headers.get('ratelimit-remaining'))
    expect(remaining(before) - remaining(after)).toBe(1)
  })

  test('loses its access when a refresh token is used again', async () => {
    const { clientId, refresh_token } = await connect()
    const second = await refresh(clientId, refresh_token)
    const third = await refresh(clientId, second.body.refresh_token)
    expect((await refresh(clientId, refresh_token)).body.error).toBe('invalid_grant')
    expect(await subdomainOf(String(third.body.access_token))).toBeUndefined()
  })

  test('loses its access when its authorization code is used again', async () => {
    const { clientId, code, verifier, access_token } = await connect()
    expect((await exchange(clientId, code, verifier)).body.error).toBe('invalid_grant')
    expect(await subdomainOf(access_token)).toBeUndefined()
  })

  test('cannot use its code or refresh token for the User API', async () => {
    const space = await service.createSpace()
    const browser = await browserOf(space)
    const { clientId, verifier, page } = await ask(browser)
    const { location } = await browser.decide(page, 'allow', ALL, space.subdomain)
    const code = location!.searchParams.get('code')!
    const account = { resource: 'http://localhost/user-mcp' }
    expect((await exchange(clientId, code, verifier, account)).body.error).toBe('invalid_target')
    const { body } = await exchange(clientId, code, verifier)
    expect((await refresh(clientId, body.refresh_token, account)).body.error).toBe('invalid_target')
    expect((await refresh(clientId, body.refresh_token)).status).toBe(200)
  })

  test.each<[string, (given: Connected) => Promise<unknown>]>([
    [
      'its key is revoked',
      async ({ space: { owner, subdomain } }) => {
        const [key] = await owner.keys.list({ subdomain })
        await owner.keys.revoke({ subdomain, key_id: key!.id })
      },
    ],
    [
      'the client revokes its access token',
      ({ clientId, access_token }) =>
        post(service, '/oauth/revoke', { client_id: clientId, token: access_token }),
    ],
    [
      'the client revokes its refresh token',
      ({ clientId, refresh_token }) =>
        post(service, '/oauth/revoke', { client_id: clientId, token: refresh_token }),
    ],
    [
      'the person leaves the space',
      async ({ space: { owner, subdomain, join } }) => {
        await join()
        await owner.participants.leave({ subdomain })
      },
    ],
    [
      'the person ends all connections with a password change',
      ({ space: { owner } }) =>
        owner.accounts.setPassword({
          current_password: PASSWORD,
          password: 'another horse battery',
          end_tokens: true,
        }),
    ],
    [
      'the space is deleted',
      ({ space: { owner, subdomain } }) => owner.spaces.delete({ subdomain, confirm: subdomain }),
    ],
  ])('loses its access at the next call after %s', async (_, end) => {
    const given = await connect()
    expect(await subdomainOf(given.access_token)).toBe(given.space.subdomain)
    await end(given)
    expect((await call(given.access_token, 'get_space')).status).toBe(401)
    expect((await refresh(given.clientId, given.refresh_token)).body.error).toBe('invalid_grant')
  })

  test.each<[string, (given: Connected) => Promise<unknown>, object]>([
    [
      'the client revokes it',
      ({ clientId, access_token }) =>
        post(service, '/oauth/revoke', { client_id: clientId, token: access_token }),
      { reason: 'app', actor_label: 'Test client' },
    ],
    [
      'its code is used twice',
      ({ clientId, code, verifier }) => exchange(clientId, code, verifier),
      { reason: 'code_reused', actor_label: null },
    ],
    [
      'a password change',
      ({ space: { owner } }) =>
        owner.accounts.setPassword({
          current_password: PASSWORD,
          password: 'another horse battery',
          end_tokens: true,
        }),
      { reason: 'password_changed', actor_label: null },
    ],
    [
      'three months without a refresh',
      async ({ space }) => {
        await service.core.database.orm.em
          .fork()
          .execute(`update oauth_grants set refreshed_at = refreshed_at - interval '90 days'`)
        // Connecting another app deletes the unused grant.
        const browser = await browserOf(space)
        await browser.decide((await ask(browser)).page, 'allow', ALL, space.subdomain)
      },
      { reason: 'unused', actor_label: null },
    ],
  ])(
    'is recorded in the audit log when it is connected, and again when it loses its access after %s',
    async (_, end, expected) => {
      const given = await connect()
      const { owner, subdomain } = given.space
      await end(given)
      const { events } = await owner.audit.ofSpace({ subdomain, topic: 'credentials' })
      const about = { label: 'Test client', handle: owner.handle }
      expect(events.slice(0, 2)).toMatchObject([
        { kind: 'key_revoked', ...about, ...expected },
        { kind: 'key_issued', ...about, reason: null },
      ])
    },
  )

  test('is listed as revoked in the audit log of the space after the person who connected it has left', async () => {
    const { owner, subdomain, join } = (await connect()).space
    const other = await join()
    await owner.participants.leave({ subdomain })
    const { events } = await other.audit.ofSpace({ subdomain, who: 'Test client' })
    expect(events[0]).toMatchObject({
      kind: 'key_revoked',
      label: 'Test client',
      handle: owner.handle,
      reason: 'issuer_left',
    })
  })

  test('keeps its access when another client tries to revoke it', async () => {
    const { access_token, space } = await connect()
    await post(service, '/oauth/revoke', { client_id: await register(service), token: access_token })
    expect(await subdomainOf(access_token)).toBe(space.subdomain)
  })

  test('has a key that people cannot rotate', async () => {
    const { space } = await connect()
    const { owner, subdomain } = space
    const [key] = await owner.keys.list({ subdomain })
    await expect(owner.keys.rotate({ subdomain, key_id: key!.id, overlap_seconds: 0 })).rejects.toMatchObject(
      {
        problem: 'key_not_found',
      },
    )
  })
})

test('a space with too many keys refuses another app on the consent page and at the code exchange', async () => {
  const space = await service.createSpace()
  const { owner, subdomain } = space
  const browser = await browserOf(space)
  const { clientId, verifier, page } = await ask(browser)
  const { location } = await browser.decide(page, 'allow', ALL, subdomain)
  const [first] = await owner.keys.list({ subdomain })
  await copyCredential(service, 'space_keys', first!.id, limits.keys - 1)
  const code = location!.searchParams.get('code')!
  const refused = await exchange(clientId, code, verifier)
  expect(refused.body).toMatchObject({
    error: 'invalid_grant',
    error_description: expect.stringContaining(`${limits.keys} keys`),
  })
  const again = await ask(browser)
  const answer = await browser.decide(again.page, 'allow', ALL, subdomain)
  expect(answer.status).toBe(409)
  await service.core.countedEvents.flush()
  const { events } = await owner.audit.ofSpace({ subdomain, topic: 'refusals' })
  expect(new Set(events.map(({ code, handle, actor_label }) => `${code} ${handle} ${actor_label}`))).toEqual(
    new Set([`too_many_keys ${owner.handle} null`, `too_many_keys ${owner.handle} Test client`]),
  )
  const [key] = await owner.keys.list({ subdomain })
  await owner.keys.revoke({ subdomain, key_id: key!.id })
  expect((await exchange(clientId, code, verifier)).status).toBe(200)
})
