import { generateRegistrationOptions, type RegistrationResponseJSON } from '@simplewebauthn/server'
import { isoUint8Array } from '@simplewebauthn/server/helpers'
import { newId } from '../../../db/id.ts'
import { withAccountLocked } from '../../../db/locks.ts'
import type { Sql } from '../../../db/orm.ts'
import { insertPasskey, listPasskeys } from '../../../db/queries/passkeys.ts'
import type { SessionActor } from '../../core/actor.ts'
import type { Context } from '../../core/context.ts'
import { Problem } from '../../core/problem.ts'
import { limits } from '../../core/rules.ts'
import { describeBrowser } from '../sessions/browser.ts'
import { CHALLENGE_LIFETIME, closeChallenge, openChallenge } from './challenge.ts'
import type { RelyingParty } from './relying-party.ts'
import { ALGORITHMS, verifyRegistration } from './verify.ts'

/** What the browser is to be asked for a new passkey. @throws `too_many_passkeys` */
export const askForPasskey = async (sql: Sql, party: RelyingParty, { accountId, handle }: SessionActor) => {
  const known = await listPasskeys(sql, accountId)
  if (known.length >= limits.passkeys) throw new Problem('too_many_passkeys')
  const options = await generateRegistrationOptions({
    rpName: party.name,
    rpID: party.id,
    userID: isoUint8Array.fromUTF8String(accountId),
    userName: handle,
    userDisplayName: handle,
    timeout: CHALLENGE_LIFETIME,
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: known.map(({ credential_id, transports }) => ({ id: credential_id, transports })),
    // Kept by the authenticator together with the account, so that nobody types a handle to sign in.
    authenticatorSelection: { residentKey: 'required', userVerification: 'preferred' },
  })
  await openChallenge(sql, 'register', accountId, options.challenge)
  return options
}

/**
 * Keeps the passkey that a browser has made.
 *
 * @param label what its owner calls it; without one it is named after the browser
 * @throws `passkey_refused`, `too_many_passkeys`, a violation of `passkeys_credential_id_unique`
 */
export const keepPasskey = async (
  ctx: Context & { sql: Sql },
  party: RelyingParty,
  { accountId }: SessionActor,
  response: RegistrationResponseJSON,
  label: string | undefined,
) => {
  const challenge = await closeChallenge(ctx.sql, 'register', accountId, response.response.clientDataJSON)
  const made = challenge === null ? null : await verifyRegistration(party, challenge, response)
  if (!made) throw new Problem('passkey_refused')
  const passkey = {
    id: newId(),
    label: label ?? describeBrowser(ctx.userAgent ?? null) ?? 'Passkey',
    backed_up: made.credentialBackedUp,
    created_at: new Date(),
    last_used_at: null,
  }
  await withAccountLocked(ctx.core.orm, accountId, async sql => {
    if ((await listPasskeys(sql, accountId)).length >= limits.passkeys) throw new Problem('too_many_passkeys')
    await insertPasskey(sql, {
      ...passkey,
      account_id: accountId,
      credential_id: made.credential.id,
      public_key: Buffer.from(made.credential.publicKey),
      counter: String(made.credential.counter),
      transports: response.response.transports ?? [],
    })
  })
  return passkey
}
