import {
  browserSupportsWebAuthn,
  startAuthentication,
  startRegistration,
  WebAuthnError,
} from '@simplewebauthn/browser'
import { client } from '../api.ts'

/** Whether this browser knows passkeys at all. */
export const supportsPasskeys = browserSupportsWebAuthn

/** What went wrong between the person, the browser and the passkey, before the service was asked. */
export class PasskeyError extends Error {}

const KNOWN_ALREADY = 'This device has a passkey for your account already.'
const NONE_USED =
  'No passkey was used: the request was closed, or it took too long. Try again when you are ready.'
const NOT_WORKING = 'This browser cannot use passkeys here. Try another browser or another device.'

/** Puts the browser's words into ours. @throws PasskeyTrouble, or what the service said */
const translateErrors = async <T>(ceremony: () => Promise<T>): Promise<T> => {
  try {
    return await ceremony()
  } catch (error) {
    if (!(error instanceof Error)) throw error
    if (error instanceof WebAuthnError && error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED')
      throw new PasskeyError(KNOWN_ALREADY, { cause: error })
    if (error.name === 'NotAllowedError' || error.name === 'AbortError')
      throw new PasskeyError(NONE_USED, { cause: error })
    throw new PasskeyError(NOT_WORKING, { cause: error })
  }
}

/** Makes a passkey for whoever is signed in. @param label what to call it; after the browser unless said */
export const createPasskey = async (label?: string) => {
  const optionsJSON = await client.passkeys.startRegistration.mutate()
  const response = await translateErrors(() => startRegistration({ optionsJSON }))
  return client.passkeys.register.mutate({ response, ...(label ? { label } : {}) })
}

/**
 * Signs in with a passkey that the person picks.
 *
 * @param inAutofill whether it is offered among what the browser fills in, rather than asked for at once
 */
export const signInWithPasskey = async ({ inAutofill = false } = {}) => {
  const optionsJSON = await client.passkeys.startSignIn.mutate()
  const response = await translateErrors(() =>
    startAuthentication({ optionsJSON, useBrowserAutofill: inAutofill }),
  )
  return client.passkeys.signIn.mutate({ response })
}

/** Shows with a passkey that it is still its owner who is at the screen. */
export const confirmWithPasskey = async () => {
  const optionsJSON = await client.passkeys.startConfirmation.mutate()
  const response = await translateErrors(() => startAuthentication({ optionsJSON }))
  await client.passkeys.confirm.mutate({ response })
}
