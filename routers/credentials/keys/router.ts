import { z } from 'zod'
import { deleteSpaceKey, listSpaceKeys } from '../../../db/queries/space-keys.ts'
import { expiresInDays, lifetimeOf, overlapSeconds } from '../../access/expiry.ts'
import { asParticipant } from '../../access/signed-in.ts'
import { id, subdomain, text } from '../../core/fields.ts'
import { Problem } from '../../core/problem.ts'
import { limits } from '../../core/rules.ts'
import { router } from '../../core/trpc.ts'
import { issueKey } from './issue.ts'
import { rotateKey } from './rotate.ts'
import { Key, NewKey, scopes, shown, shownNew } from './schema.ts'

export const keys = router({
  /** The keys of a space, those that have ended too. */
  list: asParticipant
    .input(z.strictObject({ subdomain }))
    .output(z.array(Key))
    .query(async ({ ctx }) => (await listSpaceKeys(ctx.sql, ctx.space.id)).map(shown)),

  /** Issues a key. Its secret is in this answer and nowhere else; its scopes stay as they are. */
  issue: asParticipant
    .input(
      z.strictObject({
        subdomain,
        label: text({ min: 1, max: limits.keyLabel, trim: true }),
        scopes,
        expires_in_days: expiresInDays,
      }),
    )
    .output(NewKey)
    .mutation(async ({ ctx, input: { label, scopes, expires_in_days } }) => {
      const lifetime = lifetimeOf(expires_in_days)
      const issuer = { spaceId: ctx.space.id, participantId: ctx.participantId }
      const issued = await issueKey(ctx.core.orm, issuer, { label, scopes, lifetime })
      return shownNew(issued, ctx.session.handle)
    }),

  /**
   * Issues a key in one's own name with the label, scopes and length of life of another one, which stops after the
   * overlap. Like revoking, any participant may do it: whoever may issue keys may issue this one.
   */
  rotate: asParticipant
    .input(z.strictObject({ subdomain, key_id: id('key'), overlap_seconds: overlapSeconds }))
    .output(NewKey)
    .mutation(async ({ ctx, input }) => {
      const issued = await rotateKey(ctx.core.orm, {
        spaceId: ctx.space.id,
        participantId: ctx.participantId,
        keyId: input.key_id,
        overlap: input.overlap_seconds,
      })
      return shownNew(issued, ctx.session.handle)
    }),

  /** Ends a key at once and for good. */
  revoke: asParticipant
    .input(z.strictObject({ subdomain, key_id: id('key') }))
    .output(z.void())
    .mutation(async ({ ctx, input }) => {
      if (!(await deleteSpaceKey(ctx.sql, ctx.space.id, input.key_id))) throw new Problem('key_not_found')
    }),
})
