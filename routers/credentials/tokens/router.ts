import { z } from 'zod'
import { deleteUserToken, listUserTokens } from '../../../db/queries/credentials.ts'
import { hasToken } from '../../../db/queries/usage.ts'
import { recordEvent } from '../../api/audit.ts'
import { id } from '../../api/fields.ts'
import { Problem } from '../../api/problem.ts'
import { USER_SCOPES } from '../../api/scopes.ts'
import { requireConfirmation, signedIn } from '../../api/signed-in.ts'
import { router } from '../../api/trpc.ts'
import { clientFields, clientFieldsOf, NO_CLIENT } from '../connected-client.ts'
import { IDLE_GRANT, lifetimeOf, overlapSeconds } from '../expiry.ts'
import { issue, rotate } from '../issue.ts'
import { choiceFields, credentialFields, issuedFields, timestampsOf } from '../schema.ts'
import { tokenStore } from '../store.ts'
import { readUsage, Usage } from '../usage/read.ts'

/** A token as its owner sees it. The token of a connected app is refreshed, so its `expires_at` is null. */
export const Token = z.object({ ...credentialFields, ...clientFields })

/** A token with its secret, which is returned only once. */
export const NewToken = Token.extend({ secret: z.string() })

type Row = Awaited<ReturnType<typeof listUserTokens>>[number]

export const toToken = ({ redirect_uris, ...row }: Row): z.output<typeof Token> => ({
  ...row,
  ...timestampsOf(row),
  ...clientFieldsOf(row, redirect_uris),
})

export const tokens = router({
  /** The account's tokens: those that the owner issued, including expired ones, and those of connected apps. */
  list: signedIn
    .input(z.strictObject({}).optional())
    .output(z.array(Token))
    .query(async ({ ctx }) => {
      const refreshedSince = new Date(Date.now() - IDLE_GRANT)
      return (await listUserTokens(ctx.sql, ctx.session.accountId, refreshedSince)).map(toToken)
    }),

  /**
   * Issues a token. The secret is returned only here; scopes cannot be changed later. Requires a recent sign-in.
   */
  issue: signedIn
    .input(z.strictObject(choiceFields(USER_SCOPES)))
    .output(NewToken)
    .mutation(async ({ ctx, input: { label, scopes, expires_in_days } }) => {
      await requireConfirmation(ctx.sql, ctx.session)
      const choice = { label, scopes, lifetime: lifetimeOf(expires_in_days) }
      const { session } = ctx
      const token = await ctx.writeAccount(sql => issue(tokenStore(sql, session.accountId), choice, session))
      return { ...issuedFields(token), ...NO_CLIENT }
    }),

  /** Rotates a token: issues one with the same settings; the old token stops working after the overlap. */
  rotate: signedIn
    .input(z.strictObject({ token_id: id('token'), overlap_seconds: overlapSeconds }))
    .output(NewToken)
    .mutation(async ({ ctx, input }) => {
      const { session } = ctx
      await requireConfirmation(ctx.sql, session)
      const { token_id, overlap_seconds } = input
      const token = await ctx.writeAccount(sql =>
        rotate(tokenStore(sql, session.accountId), token_id, overlap_seconds, session),
      )
      return { ...issuedFields(token), ...NO_CLIENT }
    }),

  /** How a token was used lately: its calls by day and result, and those that did not succeed. */
  usage: signedIn
    .input(z.strictObject({ token_id: id('token') }))
    .output(Usage)
    .query(async ({ ctx, input }) => {
      const { accountId } = ctx.session
      if (!(await hasToken(ctx.sql, accountId, input.token_id))) throw new Problem('token_not_found')
      return readUsage(ctx.sql, input.token_id)
    }),

  /** Revokes a token, or disconnects a client, at once and permanently. */
  revoke: signedIn
    .input(z.strictObject({ token_id: id('token') }))
    .output(z.void())
    .mutation(async ({ ctx, input }) => {
      const { accountId } = ctx.session
      await ctx.transaction(async sql => {
        const token = await deleteUserToken(sql, accountId, input.token_id)
        if (!token) throw new Problem('token_not_found')
        await recordEvent(sql, { accountId }, 'token_revoked', ctx.session, token)
      })
    }),
})
