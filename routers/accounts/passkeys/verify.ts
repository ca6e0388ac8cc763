import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { Sql } from '../../../db/database.ts'
import { lockAccount } from '../../../db/queries/accounts.ts'
import { findPasskey, recordPasskeyUse } from '../../../db/queries/passkeys.ts'
import { type RelyingParty, webauthn } from './webauthn.ts'

/** Accepted signature algorithms: EdDSA, ES256 and RS256. Every authenticator supports at least one of them. */
export const ALGORITHMS = [-8, -7, -257]

/**
 * Returns null if the library throws. It throws for malformed input and failed checks; both mean that the response is
 * invalid.
 */
const orNull = <T>(check: () => Promise<T | null>): Promise<T | null> => check().catch(() => null)

/**
 * Whether a new passkey has no certificate; the service asks for none. The library would fetch the URLs in a
 * certificate, and the caller could choose these URLs freely.
 */
const hasNoCertificate = async (attestationObject: string): Promise<boolean> => {
  const { decodeAttestationObject, isoBase64URL } = await webauthn()
  const decoded = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject))
  const format = decoded.get('fmt')
  return format === 'none' || (format === 'packed' && decoded.get('attStmt').get('x5c') === undefined)
}

/** Returns the new passkey in a browser's response, or null when the response is invalid. */
export const verifyRegistration = (
  party: RelyingParty,
  challenge: string,
  response: RegistrationResponseJSON,
) =>
  orNull(async () => {
    if (!(await hasNoCertificate(response.response.attestationObject))) return null
    const { verifyRegistrationResponse } = await webauthn()
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: false,
      supportedAlgorithmIDs: ALGORITHMS,
    })
    return verified ? registrationInfo : null
  })

/**
 * Verifies that a registered passkey has signed the challenge, and records the use. Returns the account, or null when
 * the passkey is unknown, the response is invalid, or the passkey may have been copied: its authenticator counts
 * signatures, but the counter did not increase.
 *
 * @param db inside the transaction that uses the result
 */
export const verifyUse = async (
  db: Sql,
  party: RelyingParty,
  challenge: string,
  response: AuthenticationResponseJSON,
): Promise<{ accountId: string; handle: string } | null> => {
  const passkey = await findPasskey(db, response.id)
  if (!passkey) return null
  const { isoBase64URL, verifyAuthenticationResponse } = await webauthn()
  const { userHandle } = response.response
  if (userHandle !== undefined && userHandle !== isoBase64URL.fromUTF8String(passkey.account_id)) return null
  const use = await orNull(async () => {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: false,
      credential: {
        id: response.id,
        publicKey: new Uint8Array(passkey.public_key),
        counter: Number(passkey.counter),
      },
    })
    return verified ? authenticationInfo : null
  })
  const isRecorded =
    use &&
    // Lock the account before its passkey. Deleting an account also locks the account first.
    (await lockAccount(db, passkey.account_id)) &&
    (await recordPasskeyUse(db, passkey.id, {
      counter: use.newCounter,
      backedUp: use.credentialBackedUp,
      now: new Date(),
    }))
  return isRecorded ? { accountId: passkey.account_id, handle: passkey.handle } : null
}
