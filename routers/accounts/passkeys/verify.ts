import {
  type AuthenticationResponseJSON,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import { cose, decodeAttestationObject, isoBase64URL } from '@simplewebauthn/server/helpers'
import type { Sql } from '../../../db/orm.ts'
import { lockAccount } from '../../../db/queries/accounts.ts'
import { findPasskey, recordPasskeyUse } from '../../../db/queries/passkeys.ts'
import type { RelyingParty } from './relying-party.ts'

/** Signatures that passkeys may be made for: EdDSA, ES256 and RS256, of which every authenticator knows one. */
export const ALGORITHMS = [cose.COSEALG.EdDSA, cose.COSEALG.ES256, cose.COSEALG.RS256]

/** The library's checks throw at whatever does not fit, malformed input included: to us each is a no. */
const orNull = <T>(check: () => Promise<T | null>): Promise<T | null> => check().catch(() => null)

/**
 * Whether a new passkey comes without a certificate, as it was asked to. The library follows certificates to the
 * network addresses that they name, which would be a stranger's choice.
 */
const hasNoCertificate = (attestationObject: string): boolean => {
  const decoded = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject))
  const format = decoded.get('fmt')
  return format === 'none' || (format === 'packed' && decoded.get('attStmt').get('x5c') === undefined)
}

/** The new passkey in a browser's answer; null when the answer does not stand. */
export const verifyRegistration = (
  party: RelyingParty,
  challenge: string,
  response: RegistrationResponseJSON,
) =>
  orNull(async () => {
    if (!hasNoCertificate(response.response.attestationObject)) return null
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
 * Whose passkey has signed the challenge, its use noted; null when none of ours has, or its count has not moved on,
 * as that of a copy would not.
 *
 * @param db inside the transaction that acts on it
 */
export const verifyUse = async (
  db: Sql,
  party: RelyingParty,
  challenge: string,
  response: AuthenticationResponseJSON,
): Promise<{ accountId: string; handle: string } | null> => {
  const passkey = await findPasskey(db, response.id)
  if (!passkey) return null
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
  const isNoted =
    use &&
    // The account first, as whoever deletes it does.
    (await lockAccount(db, passkey.account_id)) &&
    (await recordPasskeyUse(db, passkey.id, {
      counter: use.newCounter,
      backedUp: use.credentialBackedUp,
      now: new Date(),
    }))
  return isNoted ? { accountId: passkey.account_id, handle: passkey.handle } : null
}
