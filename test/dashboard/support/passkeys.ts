import { type TestService, uniqueName } from '../../support/test-service.ts'
import { authenticator } from './authenticator.ts'
import { dashboardClient } from './dashboard-client.ts'

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:126.0) Gecko/20100101 Firefox/126.0'

/** Creates an account in Firefox. */
export const signUp = async (service: TestService) => {
  const handle = uniqueName('keyed')
  const { api, cookie } = dashboardClient(service, FIREFOX)
  await api.accounts.signUp.mutate({ handle, password: 'correct horse battery' })
  return { handle, api, cookie }
}

/** Creates an account and registers a passkey. */
export const signUpWithPasskey = async (service: TestService) => {
  const person = await signUp(service)
  const key = authenticator()
  const response = key.register(await person.api.passkeys.startRegistration.mutate())
  const passkey = await person.api.passkeys.register.mutate({ response })
  return { ...person, key, passkey }
}

/** Makes all open challenges expire. */
export const expireChallenges = (service: TestService) =>
  service.core.database.updateTable('passkey_challenges').set({ expires_at: new Date() }).execute()
