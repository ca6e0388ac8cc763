import { z } from 'zod'
import { deleteSpaceKey, listSpaceKeys } from '../../db/queries/space-keys.ts'
import { asParticipant } from '../access/signed-in.ts'
import { id, subdomain, text, timestamp } from '../fields.ts'
import { Problem } from '../problem.ts'
import { limits } from '../rules.ts'
import { SPACE_SCOPES } from '../scopes.ts'
import { router } from '../trpc.ts'
import { issueKey } from './issue.ts'

const scopes = z
  .array(z.enum(SPACE_SCOPES))
  .min(1, { error: 'must name at least one scope' })
  .overwrite(chosen => SPACE_SCOPES.filter(scope => chosen.includes(scope)))

const Key = z.object({
  id: z.string(),
  label: z.string(),
  hint: z.string(),
  scopes: z.array(z.string()),
  issuer: z.string(),
  created_at: timestamp,
  last_used_at: timestamp.nullable(),
})

export const keys = router({
  list: asParticipant
    .input(z.strictObject({ subdomain }))
    .output(z.array(Key))
    .query(async ({ ctx }) => {
      const rows = await listSpaceKeys(ctx.sql, ctx.space.id)
      return rows.map(row => ({
        ...row,
        created_at: row.created_at.toISOString(),
        last_used_at: row.last_used_at?.toISOString() ?? null,
      }))
    }),

  /** Issues a key. Its secret is in this answer and nowhere else; its scopes stay as they are. */
  issue: asParticipant
    .input(z.strictObject({ subdomain, label: text({ min: 1, max: limits.keyLabel, trim: true }), scopes }))
    .output(Key.extend({ secret: z.string() }))
    .mutation(async ({ ctx, input }) => {
      const { key, secret } = await issueKey(ctx.em, ctx.participantId, input)
      const { id, label, hint, scopes } = key
      return {
        id,
        label,
        hint,
        scopes,
        secret,
        issuer: ctx.session.handle,
        created_at: key.createdAt.toISOString(),
        last_used_at: null,
      }
    }),

  /** Ends a key at once and for good. */
  revoke: asParticipant
    .input(z.strictObject({ subdomain, key_id: id('key') }))
    .output(z.void())
    .mutation(async ({ ctx, input }) => {
      if (!(await deleteSpaceKey(ctx.sql, ctx.space.id, input.key_id))) throw new Problem('key_not_found')
    }),
})
