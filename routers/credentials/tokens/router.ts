import { z } from 'zod'
import { deleteUserToken, listUserTokens } from '../../../db/queries/user-tokens.ts'
import { expiresInDays, lifetimeOf, overlapSeconds } from '../../access/expiry.ts'
import { signedIn } from '../../access/signed-in.ts'
import { id, text } from '../../core/fields.ts'
import { Problem } from '../../core/problem.ts'
import { limits } from '../../core/rules.ts'
import { router } from '../../core/trpc.ts'
import { IDLE_GRANT } from '../oauth/lifetimes.ts'
import { issueToken } from './issue.ts'
import { rotateToken } from './rotate.ts'
import { NewToken, scopes, shown, shownNew, Token } from './schema.ts'

export const tokens = router({
  /** The tokens one has issued, those that have ended too, and those of connected clients. */
  list: signedIn
    .input(z.strictObject({}).optional())
    .output(z.array(Token))
    .query(async ({ ctx }) => {
      const renewedSince = new Date(Date.now() - IDLE_GRANT)
      return (await listUserTokens(ctx.sql, ctx.session.accountId, renewedSince)).map(shown)
    }),

  /** Issues a token. Its secret is in this answer and nowhere else; its scopes stay as they are. */
  issue: signedIn
    .input(
      z.strictObject({
        label: text({ min: 1, max: limits.keyLabel, trim: true }),
        scopes,
        expires_in_days: expiresInDays,
      }),
    )
    .output(NewToken)
    .mutation(async ({ ctx, input: { label, scopes, expires_in_days } }) =>
      shownNew(
        await issueToken(ctx.core.orm, ctx.session.accountId, {
          label,
          scopes,
          lifetime: lifetimeOf(expires_in_days),
        }),
      ),
    ),

  /** Issues a token with the label, scopes and length of life of another one, which stops after the overlap. */
  rotate: signedIn
    .input(z.strictObject({ token_id: id('token'), overlap_seconds: overlapSeconds }))
    .output(NewToken)
    .mutation(async ({ ctx, input }) =>
      shownNew(await rotateToken(ctx.core.orm, ctx.session.accountId, input.token_id, input.overlap_seconds)),
    ),

  /** Ends a token, or disconnects a client, at once and for good. */
  revoke: signedIn
    .input(z.strictObject({ token_id: id('token') }))
    .output(z.void())
    .mutation(async ({ ctx, input }) => {
      if (!(await deleteUserToken(ctx.sql, ctx.session.accountId, input.token_id)))
        throw new Problem('token_not_found')
    }),
})
