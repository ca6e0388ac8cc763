import type { RegistrationResponseJSON } from '@simplewebauthn/server'
import type { Sql } from '../../../db/database.ts'
import { newId } from '../../../db/id.ts'
import { insertPasskey, listPasskeys } from '../../../db/queries/passkeys.ts'
import type { SessionActor } from '../../api/actor.ts'
import type { CallersWrites } from '../../api/caller-check.ts'
import type { Context } from '../../api/context.ts'
import { Problem } from '../../api/problem.ts'
import { limits } from '../../api/rules.ts'
import { describeBrowser } from '../sessions/browser.ts'
import { CHALLENGE_LIFETIME, createChallenge, takeChallenge } from './challenge.ts'
import { ALGORITHMS, verifyRegistration } from './verify.ts'
import { type RelyingParty, webauthn } from './webauthn.ts'

/** Returns the options with which the browser creates a passkey. @throws `too_many_passkeys` */
export const registrationOptions = async (
  sql: Sql,
  party: RelyingParty,
  { accountId, handle }: SessionActor,
) => {
  const known = await listPasskeys(sql, accountId)
  if (known.length >= limits.passkeys) throw new Problem('too_many_passkeys')
  const { generateRegistrationOptions, isoUint8Array } = await webauthn()
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
    // The authenticator stores the account too, so that signing in needs no handle.
    authenticatorSelection: { residentKey: 'required', userVerification: 'preferred' },
  })
  await createChallenge(sql, 'register', accountId, options.challenge)
  return options
}

/**
 * Stores the passkey that a browser has created.
 *
 * @param label defaults to the name of the browser
 * @throws `passkey_refused`, `too_many_passkeys`, a violation of `passkeys_credential_id_unique`
 */
export const storePasskey = async (
  ctx: Context & Pick<CallersWrites, 'transaction' | 'writeAccount'>,
  party: RelyingParty,
  { accountId }: SessionActor,
  response: RegistrationResponseJSON,
  label: string | undefined,
) => {
  const challenge = await ctx.transaction(sql =>
    takeChallenge(sql, 'register', accountId, response.response.clientDataJSON),
  )
  const created = challenge === null ? null : await verifyRegistration(party, challenge, response)
  if (!created) throw new Problem('passkey_refused')
  const passkey = {
    id: newId(),
    label: label ?? describeBrowser(ctx.userAgent ?? null) ?? 'Passkey',
    backed_up: created.credentialBackedUp,
    created_at: new Date(),
    last_used_at: null,
  }
  await ctx.writeAccount(async sql => {
    if ((await listPasskeys(sql, accountId)).length >= limits.passkeys) throw new Problem('too_many_passkeys')
    await insertPasskey(sql, {
      ...passkey,
      account_id: accountId,
      credential_id: created.credential.id,
      public_key: Buffer.from(created.credential.publicKey),
      counter: String(created.credential.counter),
      transports: response.response.transports ?? [],
    })
  })
  return passkey
}
