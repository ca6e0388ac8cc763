import { generateAuthenticationOptions } from '@simplewebauthn/server'
import { z } from 'zod'
import { sqlOf } from '../../../db/orm.ts'
import { deletePasskey, listPasskeys, renamePasskey } from '../../../db/queries/passkeys.ts'
import { confirmSession } from '../../../db/queries/sessions.ts'
import { inTransaction } from '../../../db/transaction.ts'
import { countAccount, countChallenge, countClient } from '../../access/attempts.ts'
import { confirmed } from '../../access/confirmed.ts'
import { beginSession } from '../../access/session.ts'
import { signedIn } from '../../access/signed-in.ts'
import type { Addresses } from '../../core/addresses.ts'
import { id } from '../../core/fields.ts'
import { Problem } from '../../core/problem.ts'
import { procedure, router } from '../../core/trpc.ts'
import { CHALLENGE_LIFETIME, closeChallenge, openChallenge } from './challenge.ts'
import { askForPasskey, keepPasskey } from './registration.ts'
import { type RelyingParty, relyingParty } from './relying-party.ts'
import {
  authenticationResponse,
  creationOptions,
  Passkey,
  passkeyLabel,
  registrationResponse,
  requestOptions,
} from './schema.ts'
import { verifyUse } from './verify.ts'

/** @throws `passkeys_unavailable` */
const partyOf = (addresses: Addresses): RelyingParty => {
  const party = relyingParty(addresses)
  if (!party) throw new Problem('passkeys_unavailable')
  return party
}

const refusedPasskey = () =>
  new Problem('sign_in_failed', {
    detail: 'The passkey is not known here any more, or it took more than five minutes.',
  })

const shown = (row: {
  id: string
  label: string
  backed_up: boolean
  created_at: Date
  last_used_at: Date | null
}) => ({
  id: row.id,
  label: row.label,
  backed_up: row.backed_up,
  created_at: row.created_at.toISOString(),
  last_used_at: row.last_used_at?.toISOString() ?? null,
})

/** What a browser is asked to sign with a passkey. @param allowed the account's own, where it is known */
const question = (party: RelyingParty, allowed: { credential_id: string; transports: string[] }[]) =>
  generateAuthenticationOptions({
    rpID: party.id,
    timeout: CHALLENGE_LIFETIME,
    userVerification: 'preferred',
    allowCredentials: allowed.map(({ credential_id, transports }) => ({ id: credential_id, transports })),
  })

const nothing = z.strictObject({}).optional()
const answer = z.strictObject({ response: authenticationResponse })

export const passkeys = router({
  list: signedIn
    .input(nothing)
    .output(z.array(Passkey))
    .query(async ({ ctx }) => (await listPasskeys(ctx.sql, ctx.session.accountId)).map(shown)),

  /** Begins to make a passkey: what to ask the browser. */
  startRegistration: confirmed
    .input(nothing)
    .output(creationOptions)
    .mutation(async ({ ctx }) => {
      const party = partyOf(ctx.core.addresses)
      await countChallenge(ctx)
      return askForPasskey(ctx.sql, party, ctx.session)
    }),

  /** Keeps the passkey that the browser has made. */
  register: confirmed
    .input(z.strictObject({ response: registrationResponse, label: passkeyLabel.optional() }))
    .output(Passkey)
    .mutation(async ({ ctx, input }) => {
      const party = partyOf(ctx.core.addresses)
      return shown(await keepPasskey(ctx, party, ctx.session, input.response, input.label))
    }),

  rename: signedIn
    .input(z.strictObject({ passkey_id: id('passkey'), label: passkeyLabel }))
    .output(z.void())
    .mutation(async ({ ctx, input }) => {
      if (!(await renamePasskey(ctx.sql, ctx.session.accountId, input.passkey_id, input.label)))
        throw new Problem('passkey_not_found')
    }),

  /** Ends a passkey at once and for good. */
  delete: confirmed
    .input(z.strictObject({ passkey_id: id('passkey') }))
    .output(z.void())
    .mutation(async ({ ctx, input }) => {
      if (!(await deletePasskey(ctx.sql, ctx.session.accountId, input.passkey_id)))
        throw new Problem('passkey_not_found')
    }),

  /** Begins to sign in: what to ask the browser. No handle: the person picks one of the passkeys it has. */
  startSignIn: procedure
    .input(nothing)
    .output(requestOptions)
    .mutation(async ({ ctx }) => {
      const party = partyOf(ctx.core.addresses)
      await countChallenge(ctx)
      const options = await question(party, [])
      await openChallenge(sqlOf(ctx.core.orm), 'sign_in', null, options.challenge)
      return options
    }),

  /** Signs in with the browser's answer. */
  signIn: procedure
    .input(answer)
    .output(z.object({ handle: z.string() }))
    .mutation(async ({ ctx, input: { response } }) => {
      const party = partyOf(ctx.core.addresses)
      await countClient(ctx)
      const { clientDataJSON } = response.response
      const challenge = await closeChallenge(sqlOf(ctx.core.orm), 'sign_in', null, clientDataJSON)
      if (challenge === null) throw refusedPasskey()
      const { token, handle } = await inTransaction(ctx.core.orm, async sql => {
        const owner = await verifyUse(sql, party, challenge, response)
        if (!owner) throw refusedPasskey()
        return { handle: owner.handle, token: await beginSession(sql, ctx, owner.accountId) }
      })
      ctx.setSession?.(token)
      return { handle }
    }),

  /** Begins to show with a passkey that it is still its owner who uses the session. */
  startConfirmation: signedIn
    .input(nothing)
    .output(requestOptions)
    .mutation(async ({ ctx }) => {
      const party = partyOf(ctx.core.addresses)
      await countChallenge(ctx)
      const options = await question(party, await listPasskeys(ctx.sql, ctx.session.accountId))
      await openChallenge(ctx.sql, 'confirm', ctx.session.accountId, options.challenge)
      return options
    }),

  /** Shows it with the browser's answer. Holds for ten minutes. */
  confirm: signedIn
    .input(answer)
    .output(z.void())
    .mutation(async ({ ctx, input: { response } }) => {
      const party = partyOf(ctx.core.addresses)
      const { accountId, tokenHash } = ctx.session
      await countAccount(ctx, accountId)
      const challenge = await closeChallenge(ctx.sql, 'confirm', accountId, response.response.clientDataJSON)
      if (challenge === null) throw new Problem('passkey_refused')
      await inTransaction(ctx.core.orm, async sql => {
        const owner = await verifyUse(sql, party, challenge, response)
        if (owner?.accountId !== accountId) throw new Problem('passkey_refused')
        await confirmSession(sql, tokenHash, new Date())
      })
    }),
})
