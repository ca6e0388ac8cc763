import { verifyRegistrationResponse } from '@simplewebauthn/server'
import { describe, expect, test } from 'vitest'
import { sqlOf } from '../../db/orm.ts'
import { hashSecret } from '../../routers/access/secret.ts'
import { relyingParty } from '../../routers/accounts/passkeys/relying-party.ts'
import { addresses } from '../../routers/core/addresses.ts'
import { limits } from '../../routers/core/rules.ts'
import { readSettings } from '../../server/settings.ts'
import { startTestService, uniqueName, useTestService } from '../support/test-service.ts'
import { authenticator, type Flaw, foreignKey } from './support/authenticator.ts'
import { dashboardClient, errorCodeOf, problemOf } from './support/dashboard-client.ts'

const service = useTestService()
const password = 'correct horse battery'
const sql = () => sqlOf(service.core.orm)
const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:126.0) Gecko/20100101 Firefox/126.0'

const signUp = async () => {
  const handle = uniqueName('keyed')
  const { api, cookie } = dashboardClient(service, FIREFOX)
  await api.accounts.signUp.mutate({ handle, password })
  return { handle, api, cookie }
}

/** Signs up and registers a passkey. */
const withPasskey = async () => {
  const person = await signUp()
  const key = authenticator()
  const response = key.register(await person.api.passkeys.startRegistration.mutate())
  const passkey = await person.api.passkeys.register.mutate({ response })
  return { ...person, key, passkey }
}

const expireChallenges = () =>
  sql().updateTable('passkey_challenges').set({ expires_at: new Date() }).execute()

describe('a new passkey', () => {
  test('is named after the browser and listed', async () => {
    const { api, passkey } = await withPasskey()
    expect(await api.passkeys.list.query()).toEqual([passkey])
    expect(passkey).toMatchObject({ label: 'Firefox on Windows', backed_up: false, last_used_at: null })
  })

  test('can be given a name', async () => {
    const { api } = await signUp()
    const response = authenticator().register(await api.passkeys.startRegistration.mutate())
    const { label } = await api.passkeys.register.mutate({ response, label: ' My phone ' })
    expect(label).toBe('My phone')
  })

  test('is requested as discoverable and without attestation', async () => {
    const { api, handle } = await signUp()
    expect(await api.passkeys.startRegistration.mutate()).toMatchObject({
      rp: { id: 'localhost', name: 'Space Site' },
      user: { name: handle },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'preferred' },
    })
  })

  test('cannot be registered twice by the same authenticator', async () => {
    const { api, key } = await withPasskey()
    const options = await api.passkeys.startRegistration.mutate()
    expect(options.excludeCredentials).toHaveLength(1)
    expect(await errorCodeOf(api.passkeys.register.mutate({ response: key.register(options) }))).toBe(
      'passkey_registered',
    )
  })

  test.each<[string, Flaw]>([
    ['another origin', { origin: 'http://evil.example' }],
    ['another host', { rpId: 'evil.example' }],
    ['a wrong challenge', { challenge: 'x'.repeat(43) }],
    ['a challenge that is not a string', { challenge: 5 as unknown as string }],
    ['the response of a sign-in', { type: 'webauthn.get' }],
    ['no user presence', { flags: 0x40 }],
    ['no public key', { flags: 0x05 }],
    ['an unknown attestation', { format: 'nonsense' }],
    ['a certificate', { hasCertificate: true }],
    ['a certificate of Android', { format: 'android-key' }],
  ])('is rejected with %s', async (_, flaw) => {
    const { api } = await signUp()
    const response = authenticator().register(await api.passkeys.startRegistration.mutate(), flaw)
    expect(await errorCodeOf(api.passkeys.register.mutate({ response }))).toBe('passkey_refused')
    expect(await api.passkeys.list.query()).toEqual([])
  })

  test('with an attestation certificate is accepted by the WebAuthn library, so the service must reject it', async () => {
    const { api } = await signUp()
    const options = await api.passkeys.startRegistration.mutate()
    const response = authenticator().register(options, { hasCertificate: true })
    const { verified } = await verifyRegistrationResponse({
      response: { ...response, clientExtensionResults: {} },
      expectedChallenge: options.challenge,
      expectedOrigin: 'http://localhost',
      expectedRPID: 'localhost',
      requireUserVerification: false,
    })
    expect(verified).toBe(true)
  })

  test.each(['clientDataJSON', 'attestationObject'] as const)(
    'is rejected with garbage as %s',
    async field => {
      const { api } = await signUp()
      const response = authenticator().register(await api.passkeys.startRegistration.mutate())
      response.response[field] = Buffer.from('garbage').toString('base64url')
      expect(await errorCodeOf(api.passkeys.register.mutate({ response }))).toBe('passkey_refused')
    },
  )

  test('can use its challenge only once', async () => {
    const { api } = await signUp()
    const options = await api.passkeys.startRegistration.mutate()
    await api.passkeys.register.mutate({ response: authenticator().register(options) })
    const again = api.passkeys.register.mutate({ response: authenticator().register(options) })
    expect(await errorCodeOf(again)).toBe('passkey_refused')
  })

  test("cannot use another account's challenge", async () => {
    const [mine, theirs] = [await signUp(), await signUp()]
    const response = authenticator().register(await theirs.api.passkeys.startRegistration.mutate())
    expect(await errorCodeOf(mine.api.passkeys.register.mutate({ response }))).toBe('passkey_refused')
  })

  test('is rejected after five minutes', async () => {
    const { api } = await signUp()
    const response = authenticator().register(await api.passkeys.startRegistration.mutate())
    await expireChallenges()
    expect(await errorCodeOf(api.passkeys.register.mutate({ response }))).toBe('passkey_refused')
  })

  test('is rejected when twenty are registered', async () => {
    const { api } = await signUp()
    const options = await api.passkeys.startRegistration.mutate()
    for (let i = 0; i < limits.passkeys; i++) {
      const response = authenticator().register(await api.passkeys.startRegistration.mutate())
      await api.passkeys.register.mutate({ response })
    }
    expect(await errorCodeOf(api.passkeys.startRegistration.mutate())).toBe('too_many_passkeys')
    const response = authenticator().register(options)
    expect(await errorCodeOf(api.passkeys.register.mutate({ response }))).toBe('too_many_passkeys')
  })
})

describe('signing in with a passkey', () => {
  /** Signs in from another browser. */
  const signIn = async (key: ReturnType<typeof authenticator>, flaw?: Flaw) => {
    const { api } = dashboardClient(service)
    const options = await api.passkeys.startSignIn.mutate()
    return { api, call: api.passkeys.signIn.mutate({ response: key.answer(options, flaw) }) }
  }

  test('needs no handle and records the use', async () => {
    const { handle, key, api } = await withPasskey()
    const other = await signIn(key)
    expect(await other.call).toEqual({ handle })
    expect(await other.api.accounts.me.query()).toMatchObject({ handle })
    expect((await api.passkeys.list.query())[0]?.last_used_at).toMatch(/^\d{4}-/)
  })

  test('requests no particular credential', async () => {
    await withPasskey()
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
    const { key } = await withPasskey()
    const { api, call } = await signIn(key, flaw)
    expect(await errorCodeOf(call)).toBe('sign_in_failed')
    expect(await errorCodeOf(api.accounts.me.query())).toBe('sign_in_required')
  })

  test('is counted in the audit log of the account when it fails', async () => {
    const { api, key } = await withPasskey()
    for (const flaw of [{ key: foreignKey() }, { challenge: 'x'.repeat(43) }])
      expect(await errorCodeOf((await signIn(key, flaw)).call)).toBe('sign_in_failed')
    await service.core.countedEvents.flush()
    const { events } = await api.audit.ofAccount.query({ topic: 'sign_ins' })
    const failed = events.filter(({ kind }) => kind === 'sign_in_failed')
    // The hour can end in between.
    expect(failed.reduce((sum, { count }) => sum + count, 0)).toBe(2)
    expect(failed[0]).toMatchObject({ method: 'passkey', handle: null, is_anonymous: true })
  })

  test('is rejected when the signature counter has not increased', async () => {
    const { key } = await withPasskey()
    await (await signIn(key, { counter: 5 })).call
    expect(await errorCodeOf((await signIn(key, { counter: 5 })).call)).toBe('sign_in_failed')
    expect(await errorCodeOf((await signIn(key, { counter: 0 })).call)).toBe('sign_in_failed')
    expect(await errorCodeOf((await signIn(key, { counter: 6 })).call)).toBeUndefined()
  })

  test('works repeatedly with authenticators that have no counter', async () => {
    const { key, handle } = await withPasskey()
    for (let i = 0; i < 2; i++) expect(await (await signIn(key, { counter: 0 })).call).toEqual({ handle })
  })

  test('can use its challenge only once, even in concurrent requests', async () => {
    const { key } = await withPasskey()
    const options = await dashboardClient(service).api.passkeys.startSignIn.mutate()
    const response = key.answer(options, { counter: 0 })
    const outcomes = await Promise.all(
      [dashboardClient(service), dashboardClient(service)].map(({ api }) =>
        errorCodeOf(api.passkeys.signIn.mutate({ response })),
      ),
    )
    expect(new Set(outcomes)).toEqual(new Set([undefined, 'sign_in_failed']))
  })

  test('is rejected after five minutes', async () => {
    const { key } = await withPasskey()
    const { api } = dashboardClient(service)
    const options = await api.passkeys.startSignIn.mutate()
    await expireChallenges()
    expect(await errorCodeOf(api.passkeys.signIn.mutate({ response: key.answer(options) }))).toBe(
      'sign_in_failed',
    )
  })

  test('fails after the passkey was deleted', async () => {
    const { api, key, passkey } = await withPasskey()
    await api.passkeys.delete.mutate({ passkey_id: passkey.id })
    expect(await errorCodeOf((await signIn(key)).call)).toBe('sign_in_failed')
  })

  test('names the field of a malformed response', async () => {
    const { key } = await withPasskey()
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
    const person = await withPasskey()
    await sql()
      .updateTable('sessions')
      .set({ confirmed_at: new Date(0) })
      .where('token_hash', '=', hashSecret(person.cookie()!.split('=')[1]!))
      .execute()
    return person
  }

  test('allows changing sign-in methods', async () => {
    const { api, key } = await withOldConfirmation()
    expect(await errorCodeOf(api.recovery.renew.mutate())).toBe('confirmation_required')
    const options = await api.passkeys.startConfirmation.mutate()
    expect(options.allowCredentials).toHaveLength(1)
    await api.passkeys.confirm.mutate({ response: key.answer(options) })
    expect(await errorCodeOf(api.recovery.renew.mutate())).toBeUndefined()
  })

  test("rejects another account's passkey", async () => {
    const [mine, theirs] = [await withOldConfirmation(), await withPasskey()]
    const options = await mine.api.passkeys.startConfirmation.mutate()
    const response = theirs.key.answer(options)
    expect(await errorCodeOf(mine.api.passkeys.confirm.mutate({ response }))).toBe('passkey_refused')
    expect(await errorCodeOf(mine.api.recovery.renew.mutate())).toBe('confirmation_required')
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

describe('a passkey', () => {
  test('can be renamed and deleted by its owner', async () => {
    const { api, passkey } = await withPasskey()
    await api.passkeys.rename.mutate({ passkey_id: passkey.id, label: 'Yellow key' })
    expect((await api.passkeys.list.query())[0]?.label).toBe('Yellow key')
    await api.passkeys.delete.mutate({ passkey_id: passkey.id })
    expect(await api.passkeys.list.query()).toEqual([])
  })

  test('is not found for other accounts', async () => {
    const { passkey } = await withPasskey()
    const { api } = await signUp()
    const passkey_id = passkey.id
    expect(await errorCodeOf(api.passkeys.rename.mutate({ passkey_id, label: 'x' }))).toBe(
      'passkey_not_found',
    )
    expect(await errorCodeOf(api.passkeys.delete.mutate({ passkey_id }))).toBe('passkey_not_found')
  })

  test.each(['', ' ', 'x'.repeat(61)])('rejects the name %j', async label => {
    const { api, passkey } = await withPasskey()
    const call = api.passkeys.rename.mutate({ passkey_id: passkey.id, label })
    expect(await problemOf(call)).toMatchObject({ fields: ['label'] })
  })

  test('is deleted with the account', async () => {
    const { api, handle, key } = await withPasskey()
    await api.accounts.delete.mutate({ confirm: handle })
    const other = dashboardClient(service)
    const response = key.answer(await other.api.passkeys.startSignIn.mutate())
    expect(await errorCodeOf(other.api.passkeys.signIn.mutate({ response }))).toBe('sign_in_failed')
  })
})

describe('the address of the service', () => {
  const partyAt = (API_ROOT: string) => relyingParty(addresses(readSettings({ API_ROOT })))

  test.each([
    ['https://www.main.example', 'www.main.example', 'https://www.main.example'],
    ['https://main.example:8443/space', 'main.example', 'https://main.example:8443'],
    ['http://localhost:3000', 'localhost', 'http://localhost:3000'],
  ])('%s supports passkeys', (root, id, origin) => {
    expect(partyAt(root)).toMatchObject({ id, origin })
  })

  test.each(['https://192.0.2.7', 'https://[2001:db8::7]', 'http://127.0.0.1:3000', 'http://main.example'])(
    '%s does not support passkeys',
    root => {
      expect(partyAt(root)).toBeNull()
    },
  )

  test('without passkey support is reported as such, and sign-in with a passkey fails', async () => {
    const settings = readSettings({ API_ROOT: 'http://127.0.0.1:3000' })
    const bare = await startTestService({ apiRoot: settings.apiRoot })
    try {
      const { api } = dashboardClient(bare)
      expect(await api.accounts.entry.query()).toMatchObject({ passkeys: false })
      expect(await errorCodeOf(api.passkeys.startSignIn.mutate())).toBe('passkeys_unavailable')
    } finally {
      await bare.stop()
    }
  })
})
