import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import { z } from 'zod'
import { text, timestamp } from '../../core/fields.ts'
import { limits } from '../../core/rules.ts'

/** Bytes of a browser's answer in base64url. Real ones have some thousands of characters at most. */
const base64url = z.string().regex(/^[A-Za-z0-9_-]{1,20000}$/, { error: 'must be base64url' })

/** What is common to both answers of a browser; the extensions' results are not looked at. */
const credential = {
  id: base64url,
  rawId: base64url,
  type: z.literal('public-key'),
  clientExtensionResults: z.unknown().optional(),
}

/** A browser's answer after making a passkey (WebAuthn, RegistrationResponseJSON). Browsers add members to it. */
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

/** A browser's answer after using a passkey (WebAuthn, AuthenticationResponseJSON). */
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

/** What the browser is asked, in the form that it takes; made by the library. Extensions have values that are no JSON. */
export const creationOptions = z.custom<Omit<PublicKeyCredentialCreationOptionsJSON, 'extensions'>>()
export const requestOptions = z.custom<Omit<PublicKeyCredentialRequestOptionsJSON, 'extensions'>>()

export const passkeyLabel = text({ min: 1, max: limits.passkeyLabel, trim: true })

export const Passkey = z.object({
  id: z.string(),
  label: z.string(),
  /** Whether it is kept in more places than one device. */
  backed_up: z.boolean(),
  created_at: timestamp,
  last_used_at: timestamp.nullable(),
})
