import {
  browserSupportsWebAuthn,
  startAuthentication,
  startRegistration,
  WebAuthnError,
} from '@simplewebauthn/browser'
import { rpc } from '../api.ts'

/** Returns whether this browser supports passkeys. */
export const supportsPasskeys = browserSupportsWebAuthn

/** The browser could not create or use a passkey. The message can be shown to the person. */
export class PasskeyError extends Error {}

const ALREADY_REGISTERED = 'This device already has a passkey for your account.'
const CANCELLED = 'No passkey was used: the request was cancelled or timed out. Try again when you are ready.'
const UNSUPPORTED = 'This browser can’t use passkeys here. Try another browser or another device.'

/** Runs a WebAuthn call. @throws PasskeyError if the call fails */
const translateErrors = async <T>(ceremony: () => Promise<T>): Promise<T> => {
  try {
    return await ceremony()
  } catch (error) {
    if (!(error instanceof Error)) throw error
    if (error instanceof WebAuthnError && error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED')
      throw new PasskeyError(ALREADY_REGISTERED, { cause: error })
    if (error.name === 'NotAllowedError' || error.name === 'AbortError')
      throw new PasskeyError(CANCELLED, { cause: error })
    throw new PasskeyError(UNSUPPORTED, { cause: error })
  }
}

/** Creates a passkey for the signed-in account. @param label defaults to the name of the browser */
export const createPasskey = async (label?: string) => {
  const optionsJSON = await rpc.passkeys.startRegistration.mutate()
  const response = await translateErrors(() => startRegistration({ optionsJSON }))
  return rpc.passkeys.register.mutate({ response, ...(label ? { label } : {}) })
}

/**
 * Signs in with a passkey.
 * @param autofillSignal if given, the browser offers the passkeys in its autofill suggestions instead of a
 * dialog. If the signal is already aborted when the service's options arrive, the browser is not asked for a
 * passkey. Asking the browser would cancel a newer request for a passkey.
 * @throws PasskeyError if no passkey was used
 */
export const signInWithPasskey = async ({ autofillSignal }: { autofillSignal?: AbortSignal } = {}) => {
  const optionsJSON = await rpc.passkeys.startSignIn.mutate()
  if (autofillSignal?.aborted) throw new PasskeyError(CANCELLED)
  const response = await translateErrors(() =>
    startAuthentication({ optionsJSON, useBrowserAutofill: autofillSignal !== undefined }),
  )
  return rpc.passkeys.signIn.mutate({ response })
}

/** Confirms the signed-in person's identity with a passkey. */
export const confirmWithPasskey = async () => {
  const optionsJSON = await rpc.passkeys.startConfirmation.mutate()
  const response = await translateErrors(() => startAuthentication({ optionsJSON }))
  await rpc.passkeys.confirm.mutate({ response })
}
