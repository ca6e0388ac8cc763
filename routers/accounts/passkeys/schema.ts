import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import { z } from 'zod'
import { line, timestamp } from '../../api/fields.ts'
import { limits } from '../../api/rules.ts'

/** Binary data of a browser's response. Real values have at most a few thousand characters. */
const base64url = z.string().regex(/^[A-Za-z0-9_-]{1,20000}$/, { error: 'must be base64url' })

/** The fields that both responses below contain. Extension results are ignored. */
const credential = {
  id: base64url,
  rawId: base64url,
  type: z.literal('public-key'),
  clientExtensionResults: z.unknown().optional(),
}

/**
 * The browser's response after creating a passkey (WebAuthn, RegistrationResponseJSON). Browsers may add other members.
 */
export const registrationResponse = z
  .object({
    ...credential,
    response: z.object({
      clientDataJSON: base64url,
      attestationObject: base64url,
      transports: z.array(z.string().max(20)).max(10).optional(),
    }),
  })
  .transform(
    (value): RegistrationResponseJSON => ({
      ...value,
      clientExtensionResults: {},
      response: { ...value.response, transports: value.response.transports ?? [] },
    }),
  )

/** The browser's response after using a passkey (WebAuthn, AuthenticationResponseJSON). */
export const authenticationResponse = z
  .object({
    ...credential,
    response: z.object({
      clientDataJSON: base64url,
      authenticatorData: base64url,
      signature: base64url,
      userHandle: base64url.nullish(),
    }),
  })
  .transform(
    ({ response: { userHandle, ...response }, ...value }): AuthenticationResponseJSON => ({
      ...value,
      clientExtensionResults: {},
      response: { ...response, ...(userHandle ? { userHandle } : {}) },
    }),
  )

/** Options for the browser, built by the library. Extensions are left out, because their values are not JSON. */
export const creationOptions = z.custom<Omit<PublicKeyCredentialCreationOptionsJSON, 'extensions'>>()
export const requestOptions = z.custom<Omit<PublicKeyCredentialRequestOptionsJSON, 'extensions'>>()

export const passkeyLabel = line({ min: 1, max: limits.passkeyLabel })

export const Passkey = z.object({
  id: z.string(),
  label: z.string(),
  /** Whether the passkey is synchronized beyond one device. */
  backed_up: z.boolean(),
  created_at: timestamp,
  last_used_at: timestamp.nullable(),
})
