import { z } from 'zod'
import { UserToken } from '../../db/entities/user-token.ts'
import { newId } from '../../db/id.ts'
import { deleteUserToken, listUserTokens } from '../../db/queries/user-tokens.ts'
import { hashSecret, hintOf, newSecret } from '../access/secret.ts'
import { signedIn } from '../access/signed-in.ts'
import { id, text, timestamp } from '../fields.ts'
import { Problem } from '../problem.ts'
import { limits } from '../rules.ts'
import { USER_SCOPES } from '../scopes.ts'
import { router } from '../trpc.ts'

const scopes = z
  .array(z.enum(USER_SCOPES))
  .min(1, { error: 'must name at least one scope' })
  .overwrite(chosen => USER_SCOPES.filter(scope => chosen.includes(scope)))

const Token = z.object({
  id: z.string(),
  label: z.string(),
  hint: z.string(),
  scopes: z.array(z.string()),
  created_at: timestamp,
  last_used_at: timestamp.nullable(),
  /** The client that was connected by its address and holds it; null for a token that was issued here. */
  client_id: z.string().nullable(),
})

export const tokens = router({
  list: signedIn
    .input(z.strictObject({}).optional())
    .output(z.array(Token))
    .query(async ({ ctx }) => {
      const rows = await listUserTokens(ctx.sql, ctx.session.accountId)
      return rows.map(row => ({
        ...row,
        created_at: row.created_at.toISOString(),
        last_used_at: row.last_used_at?.toISOString() ?? null,
      }))
    }),

  /** Issues a token. Its secret is in this answer and nowhere else; its scopes stay as they are. */
  issue: signedIn
    .input(z.strictObject({ label: text({ min: 1, max: limits.keyLabel, trim: true }), scopes }))
    .output(Token.extend({ secret: z.string() }))
    .mutation(async ({ ctx, input }) => {
      const secret = newSecret('user_token')
      const token = ctx.em.create(UserToken, {
        id: newId(),
        account: ctx.session.accountId,
        label: input.label,
        secretHash: hashSecret(secret),
        hint: hintOf(secret),
        scopes: input.scopes,
        createdAt: new Date(),
      })
      await ctx.em.flush()
      const { id, label, hint, scopes } = token
      const created_at = token.createdAt.toISOString()
      return { id, label, hint, scopes, secret, created_at, last_used_at: null, client_id: null }
    }),

  /** Ends a token at once and for good. */
  revoke: signedIn
    .input(z.strictObject({ token_id: id('token') }))
    .output(z.void())
    .mutation(async ({ ctx, input }) => {
      if (!(await deleteUserToken(ctx.sql, ctx.session.accountId, input.token_id)))
        throw new Problem('token_not_found')
    }),
})
