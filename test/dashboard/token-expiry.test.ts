import { describe, expect, test } from 'vitest'
import { connect, isAccepted, register, renew, useTestServiceWithoutLimits } from '../oauth/support/flow.ts'
import { errorCodeOf, errorFields } from '../support/problems.ts'
import { concurrently } from '../support/transactions.ts'
import { DAY, lifetimeOf, passTime } from './support/key-times.ts'

const service = useTestServiceWithoutLimits()

describe('a token with an expiry', () => {
  test('works until it expires, then is rejected like an unknown token', async () => {
    const person = await service.signUp()
    const token = await person.tokens.issue({ label: 'x', scopes: ['posts'], expires_in_days: 30 })
    expect(lifetimeOf(token)).toBe(30 * DAY)
    await passTime(service, 'user_tokens', '30 days - 1 minute')
    expect(await isAccepted(service, token.secret)).toBe(true)
    await passTime(service, 'user_tokens', '1 minute')
    const expired = await service.rest(token.secret).get('/me')
    const unknown = await service.rest('ss_ut_nothing').get('/me')
    expect([expired.status, expired.body]).toEqual([401, unknown.body])
    expect((await person.tokens.list()).map(({ id }) => id)).toContain(token.id)
  })

  test.each([0, 7, 366])('cannot be issued with a lifetime of %i days', async days => {
    const person = await service.signUp()
    const wrong = { label: 'x', scopes: ['posts' as const], expires_in_days: days as 30 }
    expect(await errorFields(person.tokens.issue(wrong))).toEqual(['expires_in_days'])
  })
})

describe('rotating a token', () => {
  test('issues a token with the same settings, and both work during the overlap', async () => {
    const person = await service.signUp()
    const old = await person.tokens.issue({ label: 'Blog', scopes: ['posts'], expires_in_days: 365 })
    const fresh = await person.tokens.rotate({ token_id: old.id, overlap_seconds: 86_400 })
    expect(fresh).toMatchObject({ label: 'Blog', scopes: ['posts'], client: null })
    expect(lifetimeOf(fresh)).toBe(365 * DAY)
    expect([await isAccepted(service, old.secret), await isAccepted(service, fresh.secret)]).toEqual([
      true,
      true,
    ])
    await passTime(service, 'user_tokens', '1 day')
    expect([await isAccepted(service, old.secret), await isAccepted(service, fresh.secret)]).toEqual([
      false,
      true,
    ])
  })

  test('ends the old token immediately if there is no overlap', async () => {
    const person = await service.signUp()
    const old = await person.tokens.issue({ label: 'x', scopes: ['posts'] })
    const fresh = await person.tokens.rotate({ token_id: old.id, overlap_seconds: 0 })
    expect([await isAccepted(service, old.secret), await isAccepted(service, fresh.secret)]).toEqual([
      false,
      true,
    ])
  })

  test('succeeds for only one of several concurrent callers', async () => {
    const person = await service.signUp()
    const { id } = await person.tokens.issue({ label: 'x', scopes: ['posts'] })
    const rotate = { token_id: id, overlap_seconds: 3600 } as const
    const outcomes = await concurrently(
      service,
      [1, 2, 3].map(() => () => errorCodeOf(person.tokens.rotate(rotate))),
      sql => sql.selectFrom('user_tokens').where('id', '=', id).select('id').forUpdate().execute(),
      // Holds the lock for a while longer. A caller that does not wait for the first caller would read the unchanged
      // token in that time, and the test would fail.
      () => service.createSpace(),
    )
    expect(outcomes.filter(outcome => outcome === undefined)).toHaveLength(1)
    expect(outcomes.filter(outcome => outcome === 'token_ended')).toHaveLength(2)
  })

  test('is possible for the token’s owner only, and never for the token of a connected app', async () => {
    const { person } = await connect(service)
    const { id } = await person.tokens.issue({ label: 'x', scopes: ['posts'] })
    const client = (await person.tokens.list()).find(token => token.client !== null)!
    const other = await service.signUp()
    const by = (who: typeof person, token_id: string) =>
      errorCodeOf(who.tokens.rotate({ token_id, overlap_seconds: 0 }))
    expect(await by(other, id)).toBe('token_not_found')
    expect(await by(person, client.id)).toBe('token_not_found')
    expect(await errorCodeOf(service.anonymous().tokens.rotate({ token_id: id, overlap_seconds: 0 }))).toBe(
      'sign_in_required',
    )
  })
})

describe('a connected app in the list of tokens', () => {
  const clientOf = async (person: Awaited<ReturnType<typeof connect>>['person']) =>
    (await person.tokens.list()).find(({ client }) => client !== null)

  test('has its name and redirect hosts, and no expiry', async () => {
    const { person } = await connect(service, ['posts'])
    expect(await clientOf(person)).toMatchObject({
      label: 'Test client',
      scopes: ['posts'],
      expires_at: null,
      client: { host: null, sends_to: ['client.example'] },
    })
  })

  test('does not reappear after it is revoked', async () => {
    const client = await connect(service)
    const { id } = (await clientOf(client.person))!
    await client.person.tokens.revoke({ token_id: id })
    expect(await isAccepted(service, client.access)).toBe(false)
    expect((await renew(service, client)).body).toMatchObject({ error: 'invalid_grant' })
    expect(await clientOf(client.person)).toBeUndefined()
  })

  test('is left out after its grant has expired', async () => {
    const { person } = await connect(service)
    await service.core.database.orm.em
      .fork()
      .execute(`update oauth_grants set refreshed_at = refreshed_at - interval '91 days'`)
    expect(await clientOf(person)).toBeUndefined()
  })

  test('has the host of each redirect URI', async () => {
    const redirects = [
      'https://a.example/x',
      'https://a.example/y',
      'http://127.0.0.1:7777/',
      'app.example:/back',
    ]
    const clientId = await register(service, { redirect_uris: redirects })
    const { person } = await connect(service)
    await service.core.database.orm.em
      .fork()
      .execute(`update user_tokens set client_id = '${clientId}' where client_id is not null`)
    expect((await clientOf(person))!.client!.sends_to).toEqual([
      'a.example',
      '127.0.0.1:7777',
      'app.example:',
    ])
  })
})
