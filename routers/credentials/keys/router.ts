import { z } from 'zod'
import { deleteSpaceKey, listSpaceKeys } from '../../../db/queries/credentials.ts'
import { hasKey } from '../../../db/queries/usage.ts'
import { recordEvent } from '../../api/audit.ts'
import { id, subdomain } from '../../api/fields.ts'
import { inSpace } from '../../api/in-space.ts'
import { Problem } from '../../api/problem.ts'
import { SPACE_SCOPES } from '../../api/scopes.ts'
import { requireConfirmation } from '../../api/signed-in.ts'
import { router } from '../../api/trpc.ts'
import { NO_CLIENT } from '../connected-client.ts'
import { IDLE_GRANT, lifetimeOf, overlapSeconds } from '../expiry.ts'
import { issue, rotate } from '../issue.ts'
import { choiceFields, issuedFields } from '../schema.ts'
import { keyStore } from '../store.ts'
import { readUsage, Usage } from '../usage/read.ts'
import { Key, NewKey, NO_AGENT, toKey } from './schema.ts'

export const keys = router({
  /** The keys of a space: those that participants issued, including expired ones, and those of connected apps. */
  list: inSpace({ ownersOnly: true })
    .input(z.strictObject({ subdomain }))
    .output(z.array(Key))
    .query(async ({ ctx }) => {
      const refreshedSince = new Date(Date.now() - IDLE_GRANT)
      return (await listSpaceKeys(ctx.sql, ctx.space.id, refreshedSince)).map(toKey)
    }),

  /**
   * Issues a key. The secret is returned only here; scopes cannot be changed later. Requires a recent sign-in.
   */
  issue: inSpace({ ownersOnly: true })
    .input(z.strictObject({ subdomain, ...choiceFields(SPACE_SCOPES) }))
    .output(NewKey)
    .mutation(async ({ ctx, input: { label, scopes, expires_in_days } }) => {
      await requireConfirmation(ctx.sql, ctx.caller)
      const issuer = { spaceId: ctx.space.id, participantId: ctx.participantId }
      const choice = { label, scopes, lifetime: lifetimeOf(expires_in_days) }
      const key = await ctx.writeMembership(sql => issue(keyStore(sql, issuer), choice, ctx.caller))
      return { ...issuedFields(key), ...NO_CLIENT, ...NO_AGENT, issuer: ctx.caller.handle }
    }),

  /**
   * Rotates a key. Any owner can rotate any key and becomes the issuer of the new one. Requires a recent sign-in.
   */
  rotate: inSpace({ ownersOnly: true })
    .input(z.strictObject({ subdomain, key_id: id('key'), overlap_seconds: overlapSeconds }))
    .output(NewKey)
    .mutation(async ({ ctx, input }) => {
      await requireConfirmation(ctx.sql, ctx.caller)
      const issuer = { spaceId: ctx.space.id, participantId: ctx.participantId }
      const { key_id, overlap_seconds } = input
      const key = await ctx.writeMembership(sql =>
        rotate(keyStore(sql, issuer), key_id, overlap_seconds, ctx.caller),
      )
      return { ...issuedFields(key), ...NO_CLIENT, ...NO_AGENT, issuer: ctx.caller.handle }
    }),

  /** How a key was used lately: its calls by day and result, and those that did not succeed. */
  usage: inSpace({ ownersOnly: true })
    .input(z.strictObject({ subdomain, key_id: id('key') }))
    .output(Usage)
    .query(async ({ ctx, input }) => {
      if (!(await hasKey(ctx.sql, ctx.space.id, input.key_id))) throw new Problem('key_not_found')
      return readUsage(ctx.sql, input.key_id)
    }),

  /** Revokes a key, or disconnects a client, at once and permanently. */
  revoke: inSpace({ ownersOnly: true })
    .input(z.strictObject({ subdomain, key_id: id('key') }))
    .output(z.void())
    .mutation(async ({ ctx, input }) => {
      await ctx.transaction(async sql => {
        const key = await deleteSpaceKey(sql, ctx.space.id, input.key_id)
        if (!key) throw new Problem('key_not_found')
        await recordEvent(sql, { spaceId: ctx.space.id }, 'key_revoked', ctx.caller, key)
      })
    }),
})
