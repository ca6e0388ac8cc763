import { verifyRegistrationResponse } from '@simplewebauthn/server'
import { describe, expect, test } from 'vitest'
import { relyingParty } from '../../routers/accounts/passkeys/webauthn.ts'
import { addresses } from '../../routers/api/addresses.ts'
import { limits } from '../../routers/api/rules.ts'
import { readSettings } from '../../server/settings/settings.ts'
import { startTestService, useTestService } from '../support/test-service.ts'
import { authenticator, type Flaw } from './support/authenticator.ts'
import { dashboardClient, errorCodeOf, problemOf } from './support/dashboard-client.ts'
import { expireChallenges, signUp, signUpWithPasskey } from './support/passkeys.ts'

const service = useTestService()

describe('a new passkey', () => {
  test('is named after the browser and listed', async () => {
    const { api, passkey } = await signUpWithPasskey(service)
    expect(await api.passkeys.list.query()).toEqual([passkey])
    expect(passkey).toMatchObject({ label: 'Firefox on Windows', backed_up: false, last_used_at: null })
  })

  test('can be given a name', async () => {
    const { api } = await signUp(service)
    const response = authenticator().register(await api.passkeys.startRegistration.mutate())
    const { label } = await api.passkeys.register.mutate({ response, label: ' My phone ' })
    expect(label).toBe('My phone')
  })

  test('is requested as discoverable and without attestation', async () => {
    const { api, handle } = await signUp(service)
    expect(await api.passkeys.startRegistration.mutate()).toMatchObject({
      rp: { id: 'localhost', name: 'Space Site' },
      user: { name: handle },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'preferred' },
    })
  })

  test('cannot be registered twice by the same authenticator', async () => {
    const { api, key } = await signUpWithPasskey(service)
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
    ['an unknown attestation format', { format: 'nonsense' }],
    ['an attestation certificate', { hasCertificate: true }],
    ['an empty Android attestation', { format: 'android-key' }],
  ])('is rejected with %s', async (_, flaw) => {
    const { api } = await signUp(service)
    const response = authenticator().register(await api.passkeys.startRegistration.mutate(), flaw)
    expect(await errorCodeOf(api.passkeys.register.mutate({ response }))).toBe('passkey_refused')
    expect(await api.passkeys.list.query()).toEqual([])
  })

  test('with an attestation certificate is accepted by the WebAuthn library, but our own code rejects it', async () => {
    const { api } = await signUp(service)
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
    'is rejected if its %s is garbage',
    async field => {
      const { api } = await signUp(service)
      const response = authenticator().register(await api.passkeys.startRegistration.mutate())
      response.response[field] = Buffer.from('garbage').toString('base64url')
      expect(await errorCodeOf(api.passkeys.register.mutate({ response }))).toBe('passkey_refused')
    },
  )

  test('can use its challenge only once', async () => {
    const { api } = await signUp(service)
    const options = await api.passkeys.startRegistration.mutate()
    await api.passkeys.register.mutate({ response: authenticator().register(options) })
    const again = api.passkeys.register.mutate({ response: authenticator().register(options) })
    expect(await errorCodeOf(again)).toBe('passkey_refused')
  })

  test("cannot use another account's challenge", async () => {
    const [mine, theirs] = [await signUp(service), await signUp(service)]
    const response = authenticator().register(await theirs.api.passkeys.startRegistration.mutate())
    expect(await errorCodeOf(mine.api.passkeys.register.mutate({ response }))).toBe('passkey_refused')
  })

  test('is rejected if its challenge has expired', async () => {
    const { api } = await signUp(service)
    const response = authenticator().register(await api.passkeys.startRegistration.mutate())
    await expireChallenges(service)
    expect(await errorCodeOf(api.passkeys.register.mutate({ response }))).toBe('passkey_refused')
  })

  test('is rejected if the account already has twenty', async () => {
    const { api } = await signUp(service)
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

describe('a passkey', () => {
  test('can be renamed and deleted by its owner', async () => {
    const { api, passkey } = await signUpWithPasskey(service)
    await api.passkeys.rename.mutate({ passkey_id: passkey.id, label: 'Yellow key' })
    expect((await api.passkeys.list.query())[0]?.label).toBe('Yellow key')
    await api.passkeys.delete.mutate({ passkey_id: passkey.id })
    expect(await api.passkeys.list.query()).toEqual([])
  })

  test('is not found for other accounts', async () => {
    const { passkey } = await signUpWithPasskey(service)
    const { api } = await signUp(service)
    const passkey_id = passkey.id
    expect(await errorCodeOf(api.passkeys.rename.mutate({ passkey_id, label: 'x' }))).toBe(
      'passkey_not_found',
    )
    expect(await errorCodeOf(api.passkeys.delete.mutate({ passkey_id }))).toBe('passkey_not_found')
  })

  test.each(['', ' ', 'x'.repeat(61)])('rejects the name %j', async label => {
    const { api, passkey } = await signUpWithPasskey(service)
    const call = api.passkeys.rename.mutate({ passkey_id: passkey.id, label })
    expect(await problemOf(call)).toMatchObject({ fields: ['label'] })
  })

  test('is deleted with the account', async () => {
    const { api, handle, key } = await signUpWithPasskey(service)
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

  test('can make passkeys unavailable: the sign-in view is told so, and a sign-in with a passkey fails', async () => {
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
