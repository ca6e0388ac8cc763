import { describe, expect, test } from 'vitest'
import { hashSecret } from '../../routers/api/secret.ts'
import { useTestService } from '../support/test-service.ts'
import { type authenticator, type Flaw, foreignKey } from './support/authenticator.ts'
import { dashboardClient, errorCodeOf, problemOf } from './support/dashboard-client.ts'
import { expireChallenges, signUpWithPasskey } from './support/passkeys.ts'

const service = useTestService()

describe('signing in with a passkey', () => {
  /** Signs in from another browser. */
  const signIn = async (key: ReturnType<typeof authenticator>, flaw?: Flaw) => {
    const { api } = dashboardClient(service)
    const options = await api.passkeys.startSignIn.mutate()
    return { api, call: api.passkeys.signIn.mutate({ response: key.answer(options, flaw) }) }
  }

  test('needs no handle and records the use', async () => {
    const { handle, key, api } = await signUpWithPasskey(service)
    const other = await signIn(key)
    expect(await other.call).toEqual({ handle })
    expect(await other.api.accounts.me.query()).toMatchObject({ handle })
    expect((await api.passkeys.list.query())[0]?.last_used_at).toMatch(/^\d{4}-/)
  })

  test('requests no particular credential', async () => {
    await signUpWithPasskey(service)
    const options = await dashboardClient(service).api.passkeys.startSignIn.mutate()
    expect(options.allowCredentials ?? []).toEqual([])
  })

  test.each<[string, Flaw]>([
    ['another origin', { origin: 'http://evil.example' }],
    ['another host', { rpId: 'evil.example' }],
    ['a wrong challenge', { challenge: 'x'.repeat(43) }],
    ['the response of a registration', { type: 'webauthn.create' }],
    ['no user presence', { flags: 0 }],
    ['the signature of another key', { key: foreignKey() }],
    ['an unknown credential', { credentialId: 'unknown' }],
    ["another account's handle", { userHandle: Buffer.from('a'.repeat(16)).toString('base64url') }],
  ])('is rejected with %s', async (_, flaw) => {
    const { key } = await signUpWithPasskey(service)
    const { api, call } = await signIn(key, flaw)
    expect(await errorCodeOf(call)).toBe('sign_in_failed')
    expect(await errorCodeOf(api.accounts.me.query())).toBe('sign_in_required')
  })

  test('is counted in the audit log of the account when it fails', async () => {
    const { api, key } = await signUpWithPasskey(service)
    for (const flaw of [{ key: foreignKey() }, { challenge: 'x'.repeat(43) }])
      expect(await errorCodeOf((await signIn(key, flaw)).call)).toBe('sign_in_failed')
    await service.core.countedEvents.flush()
    const { events } = await api.audit.ofAccount.query({ topic: 'sign_ins' })
    const failed = events.filter(({ kind }) => kind === 'sign_in_failed')
    // Failures are counted by the hour, and an hour can end between the two calls, so add up the counts.
    expect(failed.reduce((sum, { count }) => sum + count, 0)).toBe(2)
    expect(failed[0]).toMatchObject({ method: 'passkey', handle: null, is_anonymous: true })
  })

  test('is rejected when the signature counter has not increased', async () => {
    const { key } = await signUpWithPasskey(service)
    await (await signIn(key, { counter: 5 })).call
    expect(await errorCodeOf((await signIn(key, { counter: 5 })).call)).toBe('sign_in_failed')
    expect(await errorCodeOf((await signIn(key, { counter: 0 })).call)).toBe('sign_in_failed')
    expect(await errorCodeOf((await signIn(key, { counter: 6 })).call)).toBeUndefined()
  })

  test('works repeatedly with authenticators that have no counter', async () => {
    const { key, handle } = await signUpWithPasskey(service)
    for (let i = 0; i < 2; i++) expect(await (await signIn(key, { counter: 0 })).call).toEqual({ handle })
  })

  test('can use its challenge only once, even in concurrent requests', async () => {
    const { key } = await signUpWithPasskey(service)
    const options = await dashboardClient(service).api.passkeys.startSignIn.mutate()
    const response = key.answer(options, { counter: 0 })
    const outcomes = await Promise.all(
      [dashboardClient(service), dashboardClient(service)].map(({ api }) =>
        errorCodeOf(api.passkeys.signIn.mutate({ response })),
      ),
    )
    expect(new Set(outcomes)).toEqual(new Set([undefined, 'sign_in_failed']))
  })

  test('is rejected if its challenge has expired', async () => {
    const { key } = await signUpWithPasskey(service)
    const { api } = dashboardClient(service)
    const options = await api.passkeys.startSignIn.mutate()
    await expireChallenges(service)
    expect(await errorCodeOf(api.passkeys.signIn.mutate({ response: key.answer(options) }))).toBe(
      'sign_in_failed',
    )
  })

  test('fails after the passkey was deleted', async () => {
    const { api, key, passkey } = await signUpWithPasskey(service)
    await api.passkeys.delete.mutate({ passkey_id: passkey.id })
    expect(await errorCodeOf((await signIn(key)).call)).toBe('sign_in_failed')
  })

  test('is rejected with an error that names the malformed field of the response', async () => {
    const { key } = await signUpWithPasskey(service)
    const options = await dashboardClient(service).api.passkeys.startSignIn.mutate()
    const response = key.answer(options)
    response.response.signature = 'not base64url!'
    expect(await problemOf(dashboardClient(service).api.passkeys.signIn.mutate({ response }))).toMatchObject({
      code: 'validation_failed',
      fields: ['response.response.signature'],
    })
  })
})

describe('confirming with a passkey', () => {
  /** Registers a passkey and makes the last confirmation older than ten minutes. */
  const withOldConfirmation = async () => {
    const person = await signUpWithPasskey(service)
    await forgetConfirmation(person)
    return person
  }
  const forgetConfirmation = (person: { cookie: () => string | undefined }) =>
    service.core.database
      .updateTable('sessions')
      .set({ confirmed_at: new Date(0) })
      .where('token_hash', '=', hashSecret(person.cookie()!.split('=')[1]!))
      .execute()

  test('allows changing sign-in methods', async () => {
    const { api, key } = await withOldConfirmation()
    expect(await errorCodeOf(api.recovery.renew.mutate())).toBe('confirmation_required')
    const options = await api.passkeys.startConfirmation.mutate()
    expect(options.allowCredentials).toHaveLength(1)
    await api.passkeys.confirm.mutate({ response: key.answer(options) })
    expect(await errorCodeOf(api.recovery.renew.mutate())).toBeUndefined()
  })

  test("rejects another account's passkey", async () => {
    const [mine, theirs] = [await withOldConfirmation(), await signUpWithPasskey(service)]
    const options = await mine.api.passkeys.startConfirmation.mutate()
    const response = theirs.key.answer(options)
    expect(await errorCodeOf(mine.api.passkeys.confirm.mutate({ response }))).toBe('passkey_refused')
    expect(await errorCodeOf(mine.api.recovery.renew.mutate())).toBe('confirmation_required')
  })

  test('rejects the challenge of a registration', async () => {
    const person = await signUpWithPasskey(service)
    const { api, key } = person
    const { challenge } = await api.passkeys.startRegistration.mutate()
    await forgetConfirmation(person)
    const response = key.answer({ ...(await api.passkeys.startConfirmation.mutate()), challenge })
    expect(await errorCodeOf(api.passkeys.confirm.mutate({ response }))).toBe('passkey_refused')
    expect(await errorCodeOf(api.recovery.renew.mutate())).toBe('confirmation_required')
  })

  test('rejects the challenge of a sign-in', async () => {
    const { api, key } = await withOldConfirmation()
    const response = key.answer(await api.passkeys.startSignIn.mutate())
    expect(await errorCodeOf(api.passkeys.confirm.mutate({ response }))).toBe('passkey_refused')
  })

  test('is rate limited after ten attempts', async () => {
    const { api, key } = await withOldConfirmation()
    const attempt = async () =>
      errorCodeOf(
        api.passkeys.confirm.mutate({
          response: key.answer(await api.passkeys.startConfirmation.mutate(), { key: foreignKey() }),
        }),
      )
    for (let i = 0; i < 10; i++) expect(await attempt()).toBe('passkey_refused')
    expect(await attempt()).toBe('rate_limited')
  })
})
