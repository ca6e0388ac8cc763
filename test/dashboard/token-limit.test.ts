import { describe, expect, test } from 'vitest'
import { limits } from '../../routers/api/rules.ts'
import {
  approved,
  authorizationQuery,
  connect,
  exchange,
  pkce,
  register,
  renew,
  signedInBrowser,
  useTestServiceWithoutLimits,
} from '../oauth/support/flow.ts'
import { copyCredential } from '../support/copies.ts'
import { errorCodeOf } from '../support/problems.ts'
import type { Person } from '../support/test-service.ts'
import { concurrentlyAs } from '../support/transactions.ts'

const service = useTestServiceWithoutLimits()

const passTime = (table: string, column: string, interval: string) =>
  service.core.database.orm.em
    .fork()
    .execute(`update ${table} set ${column} = ${column} - interval '${interval}'`)

const issue = (person: Person, expires_in_days: 30 | null = null) =>
  person.tokens.issue({ label: 'x', scopes: ['posts'], expires_in_days })

/** Issues tokens until the account can have only `left` more. */
const fill = async (person: Person, left = 0) => {
  const { length } = await person.tokens.list()
  const { id } = await issue(person)
  await copyCredential(service, 'user_tokens', id, limits.tokens - left - length - 1)
}

const revokeOne = async (person: Person) => {
  const mine = (await person.tokens.list()).find(({ client_id }) => client_id === null)!
  await person.tokens.revoke({ token_id: mine.id })
}

const askedFor = async () => {
  const { person, browser } = await signedInBrowser(service)
  const clientId = await register(service)
  const { verifier, challenge } = pkce()
  return {
    person,
    browser,
    clientId,
    verifier,
    page: await browser.authorize(authorizationQuery(service, clientId, challenge)),
  }
}

describe('an account at or close to its limit of tokens', () => {
  test('gets another token only after one is revoked', async () => {
    const person = await service.signUp()
    await fill(person)
    expect(await errorCodeOf(issue(person))).toBe('too_many_tokens')
    await expect(issue(person)).rejects.toThrow(
      `An account can have at most ${limits.tokens} tokens and connected apps.`,
    )
    await revokeOne(person)
    expect(await errorCodeOf(issue(person))).toBeUndefined()
    expect(await errorCodeOf(issue(await service.signUp()))).toBeUndefined()
  })

  test('gets only one of four tokens requested concurrently, if the account is one token below the limit', async () => {
    const person = await service.signUp()
    await fill(person, 1)
    const call = () => errorCodeOf(issue(person))
    const outcomes = await concurrentlyAs(service, person.handle, [call, call, call, call])
    expect(outcomes.filter(outcome => outcome === undefined)).toHaveLength(1)
    expect(outcomes.filter(outcome => outcome === 'too_many_tokens')).toHaveLength(3)
  })

  test.each([0, 604_800] as const)('can rotate each token with an overlap of %i s', async overlap_seconds => {
    const person = await service.signUp()
    await fill(person)
    const [one] = await person.tokens.list()
    const fresh = await person.tokens.rotate({ token_id: one!.id, overlap_seconds })
    await person.tokens.rotate({ token_id: fresh.id, overlap_seconds })
    expect((await person.tokens.list()).filter(({ replaced_at }) => replaced_at === null)).toHaveLength(
      limits.tokens,
    )
    expect(await errorCodeOf(issue(person))).toBe('too_many_tokens')
  })

  test('keeps its connected apps, which can still refresh their tokens', async () => {
    const client = await connect(service)
    await fill(client.person)
    expect(await errorCodeOf(issue(client.person))).toBe('too_many_tokens')
    expect((await renew(service, client)).status).toBe(200)
  })
})

test('expired tokens and idle clients do not count towards the limit', async () => {
  const { person } = await connect(service)
  const { id } = await issue(person, 30)
  await copyCredential(service, 'user_tokens', id, limits.tokens - 3)
  expect(await errorCodeOf(issue(person))).toBe('too_many_tokens')
  await passTime('oauth_grants', 'refreshed_at', '91 days')
  expect(await errorCodeOf(issue(person))).toBeUndefined()
  expect(await errorCodeOf(issue(person))).toBe('too_many_tokens')
  await passTime('user_tokens', 'expires_at', '30 days')
  expect(await errorCodeOf(issue(person))).toBeUndefined()
})

test('an account keeps its connected apps and only its latest expired tokens', async () => {
  const client = await connect(service)
  const { person } = client
  const { id } = await issue(person, 30)
  await copyCredential(service, 'user_tokens', id, limits.tokens - 2)
  await passTime('user_tokens', 'expires_at', '31 days')
  const { id: ending } = await issue(person, 30)
  await copyCredential(service, 'user_tokens', ending, limits.tokens - 2)
  await passTime('user_tokens', 'expires_at', '31 days')
  await issue(person)
  const kept = (await person.tokens.list()).filter(({ expires_at }) => expires_at).map(token => token.id)
  expect(kept).toHaveLength(limits.tokens)
  expect(kept).toContain(ending)
  expect((await renew(service, client)).status).toBe(200)
})

test('replaced tokens that still work have a separate limit, which equals the limit for new tokens', async () => {
  const person = await service.signUp()
  const rotate = (token_id: string, overlap_seconds: 0 | 604_800) =>
    person.tokens.rotate({ token_id, overlap_seconds })
  const old = await issue(person)
  const { id: next } = await rotate(old.id, 604_800)
  await copyCredential(service, 'user_tokens', old.id, limits.tokens - 2)
  const { id } = await rotate(next, 604_800)
  expect(await errorCodeOf(rotate(id, 604_800))).toBe('too_many_tokens')
  expect(await errorCodeOf(rotate(id, 0))).toBeUndefined()
})

describe('connecting a client to an account whose limit allows too few new tokens', () => {
  test('is rejected on the consent page; after a token is revoked, the same page works', async () => {
    const { person, browser, page } = await askedFor()
    await fill(person)
    const refused = await browser.decide(page, 'allow', ['likes'])
    expect({ status: refused.status, location: refused.location }).toEqual({ status: 409, location: null })
    expect(refused.text).toContain(
      `You have reached the limit of ${limits.tokens} tokens and connected apps.`,
    )
    expect(refused.text).toContain('href="/admin/account/tokens"')
    expect(refused.checkedScopes).toEqual(['likes'])
    await revokeOne(person)
    const { status, location } = await browser.decide(refused, 'allow')
    expect([status, location?.searchParams.has('code')]).toEqual([303, true])
  })

  test('can be declined on the consent page, because declining adds no token to the account', async () => {
    const { person, browser, page } = await askedFor()
    await fill(person)
    const { location } = await browser.decide(page, 'deny')
    expect(location?.searchParams.get('error')).toBe('access_denied')
  })

  test('fails at the code exchange until a token is revoked', async () => {
    const given = await approved(service)
    await fill(given.person)
    const { status, body } = await exchange(service, given)
    expect([status, body.error]).toEqual([400, 'invalid_grant'])
    expect(body.error_description).toContain(`${limits.tokens} tokens and connected apps`)
    await revokeOne(given.person)
    expect((await exchange(service, given)).status).toBe(200)
  })

  test('succeeds for only one of two concurrent clients if the limit allows one new token', async () => {
    const { person, browser, page, ...one } = await askedFor()
    const clientId = await register(service)
    const { verifier, challenge } = pkce()
    const other = await browser.authorize(authorizationQuery(service, clientId, challenge))
    await fill(person, 1)
    const codeFrom = async (shown: typeof page) =>
      (await browser.decide(shown, 'allow')).location!.searchParams.get('code')!
    const given = [
      { ...one, code: await codeFrom(page) },
      { clientId, verifier, code: await codeFrom(other) },
    ]
    const calls = given.map(client => () => exchange(service, client))
    const responses = await concurrentlyAs(service, person.handle, calls)
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(responses.filter(({ body }) => body.error === 'invalid_grant')).toHaveLength(1)
    expect(await person.tokens.list()).toHaveLength(limits.tokens)
  })
})

test('tokens are listed with the newest first', async () => {
  const person = await service.signUp()
  for (const label of ['first', 'second', 'third'])
    await person.tokens.issue({ label, scopes: ['posts'], expires_in_days: null })
  const labels = (await person.tokens.list()).map(({ label }) => label)
  expect(labels.slice(0, 3)).toEqual(['third', 'second', 'first'])
})
