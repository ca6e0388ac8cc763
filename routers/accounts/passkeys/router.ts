import { z } from 'zod'
import type { Sql } from '../../../db/database.ts'
import { deletePasskey, findPasskey, listPasskeys, renamePasskey } from '../../../db/queries/passkeys.ts'
import { confirmSession } from '../../../db/queries/sessions.ts'
import { inTransaction } from '../../../db/transaction.ts'
import type { Addresses } from '../../api/addresses.ts'
import { countAccount, countChallenge, countClient, noteFailedSignIn } from '../../api/attempt-limits.ts'
import { beginSession } from '../../api/browser-session.ts'
import type { Context } from '../../api/context.ts'
import { id } from '../../api/fields.ts'
import { Problem } from '../../api/problem.ts'
import { recentlyConfirmed, signedIn } from '../../api/signed-in.ts'
import { procedure, router } from '../../api/trpc.ts'
import { CHALLENGE_LIFETIME, createChallenge, takeChallenge } from './challenge.ts'
import { registrationOptions, storePasskey } from './registration.ts'
import {
  authenticationResponse,
  creationOptions,
  Passkey,
  passkeyLabel,
  registrationResponse,
  requestOptions,
} from './schema.ts'
import { verifyUse } from './verify.ts'
import { type RelyingParty, relyingParty, webauthn } from './webauthn.ts'

/**
 * Returns the relying party.
 *
 * @throws `passkeys_unavailable` if the service's address does not allow passkeys
 */
const partyOf = (addresses: Addresses): RelyingParty => {
  const party = relyingParty(addresses)
  if (!party) throw new Problem('passkeys_unavailable')
  return party
}

/** Counts a failed sign-in for the account if the passkey is registered. Returns the error to throw. */
const refusedPasskey = async (ctx: Context, sql: Sql, credentialId: string): Promise<Problem> => {
  const passkey = await findPasskey(sql, credentialId)
  if (passkey) noteFailedSignIn(ctx, passkey.account_id, 'passkey')
  return new Problem('sign_in_failed', {
    detail: 'The passkey is no longer registered, or the sign-in took more than five minutes. Try again.',
  })
}

const toPasskey = (row: {
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

/**
 * Returns the options with which the browser uses a passkey.
 *
 * @param allowed the passkeys to choose from; empty when the account is not known yet
 */
const authenticationOptions = async (
  party: RelyingParty,
  allowed: { credential_id: string; transports: string[] }[],
) => {
  const { generateAuthenticationOptions } = await webauthn()
  return generateAuthenticationOptions({
    rpID: party.id,
    timeout: CHALLENGE_LIFETIME,
    userVerification: 'preferred',
    allowCredentials: allowed.map(({ credential_id, transports }) => ({ id: credential_id, transports })),
  })
}

const noInput = z.strictObject({}).optional()
const responseInput = z.strictObject({ response: authenticationResponse })

export const passkeys = router({
  list: signedIn
    .input(noInput)
    .output(z.array(Passkey))
    .query(async ({ ctx }) => (await listPasskeys(ctx.sql, ctx.session.accountId)).map(toPasskey)),

  /** Begins the registration of a passkey. */
  startRegistration: recentlyConfirmed
    .input(noInput)
    .output(creationOptions)
    .mutation(async ({ ctx }) => {
      const party = partyOf(ctx.core.addresses)
      await countChallenge(ctx)
      return ctx.transaction(sql => registrationOptions(sql, party, ctx.session))
    }),

  /** Completes the registration with the browser's response. */
  register: recentlyConfirmed
    .input(z.strictObject({ response: registrationResponse, label: passkeyLabel.optional() }))
    .output(Passkey)
    .mutation(async ({ ctx, input }) => {
      const party = partyOf(ctx.core.addresses)
      return toPasskey(await storePasskey(ctx, party, ctx.session, input.response, input.label))
    }),

  rename: signedIn
    .input(z.strictObject({ passkey_id: id('passkey'), label: passkeyLabel }))
    .output(z.void())
    .mutation(async ({ ctx, input }) => {
      const isRenamed = await ctx.transaction(sql =>
        renamePasskey(sql, ctx.session.accountId, input.passkey_id, input.label),
      )
      if (!isRenamed) throw new Problem('passkey_not_found')
    }),

  /** Deletes a passkey at once and permanently. */
  delete: recentlyConfirmed
    .input(z.strictObject({ passkey_id: id('passkey') }))
    .output(z.void())
    .mutation(async ({ ctx, input }) => {
      const isDeleted = await ctx.transaction(sql =>
        deletePasskey(sql, ctx.session.accountId, input.passkey_id),
      )
      if (!isDeleted) throw new Problem('passkey_not_found')
    }),

  /** Begins a sign-in. It needs no handle: the person picks a passkey in the browser. */
  startSignIn: procedure
    .input(noInput)
    .output(requestOptions)
    .mutation(async ({ ctx }) => {
      const party = partyOf(ctx.core.addresses)
      await countChallenge(ctx)
      const options = await authenticationOptions(party, [])
      await createChallenge(ctx.core.database, 'sign_in', null, options.challenge)
      return options
    }),

  /** Completes the sign-in with the browser's response. */
  signIn: procedure
    .input(responseInput)
    .output(z.object({ handle: z.string() }))
    .mutation(async ({ ctx, input: { response } }) => {
      const party = partyOf(ctx.core.addresses)
      await countClient(ctx)
      const { clientDataJSON } = response.response
      const db = ctx.core.database
      const challenge = await takeChallenge(db, 'sign_in', null, clientDataJSON)
      if (challenge === null) throw await refusedPasskey(ctx, db, response.id)
      const { token, handle } = await inTransaction(ctx.core.database, async sql => {
        const owner = await verifyUse(sql, party, challenge, response)
        if (!owner) throw await refusedPasskey(ctx, sql, response.id)
        return { handle: owner.handle, token: await beginSession(sql, ctx, owner.accountId, 'passkey') }
      })
      ctx.setSession?.(token)
      return { handle }
    }),

  /** Begins a re-authentication within a session. */
  startConfirmation: signedIn
    .input(noInput)
    .output(requestOptions)
    .mutation(async ({ ctx }) => {
      const party = partyOf(ctx.core.addresses)
      await countChallenge(ctx)
      const options = await authenticationOptions(party, await listPasskeys(ctx.sql, ctx.session.accountId))
      await ctx.transaction(sql => createChallenge(sql, 'confirm', ctx.session.accountId, options.challenge))
      return options
    }),

  /** Completes the re-authentication with the browser's response. A re-authentication stays valid for ten minutes. */
  confirm: signedIn
    .input(responseInput)
    .output(z.void())
    .mutation(async ({ ctx, input: { response } }) => {
      const party = partyOf(ctx.core.addresses)
      const { accountId, tokenHash } = ctx.session
      await countAccount(ctx, accountId)
      const { clientDataJSON } = response.response
      const challenge = await ctx.transaction(sql => takeChallenge(sql, 'confirm', accountId, clientDataJSON))
      if (challenge === null) throw new Problem('passkey_refused')
      await ctx.transaction(async sql => {
        const owner = await verifyUse(sql, party, challenge, response)
        if (owner?.accountId !== accountId) throw new Problem('passkey_refused')
        await confirmSession(sql, tokenHash, new Date())
      })
    }),
})
