import { z } from 'zod'
import { deleteInvite, findInvite, listInvites } from '../../../db/queries/participants.ts'
import { countClient } from '../../api/attempt-limits.ts'
import { id, subdomain, timestamp } from '../../api/fields.ts'
import { inSpace } from '../../api/in-space.ts'
import { Problem } from '../../api/problem.ts'
import { hashSecret, linkToken } from '../../api/secret.ts'
import { requireConfirmation, signedIn } from '../../api/signed-in.ts'
import { procedure, router } from '../../api/trpc.ts'
import { role } from '../participants/schema.ts'
import { acceptInvite } from './accept.ts'
import { createInvite } from './create.ts'

const OpenInvite = z.object({
  id: z.string(),
  role,
  inviter: z.string(),
  created_at: timestamp,
  expires_at: timestamp,
})

export const invites = router({
  /** A space's invitations that are neither used nor expired. */
  list: inSpace({ ownersOnly: true })
    .input(z.strictObject({ subdomain }))
    .output(z.array(OpenInvite))
    .query(async ({ ctx }) => {
      const rows = await listInvites(ctx.sql, ctx.space.id, new Date())
      return rows.map(row => ({
        ...row,
        created_at: row.created_at.toISOString(),
        expires_at: row.expires_at.toISOString(),
      }))
    }),

  /** Revokes an invitation. Any owner can revoke any invitation of the space, as with keys. */
  withdraw: inSpace({ ownersOnly: true })
    .input(z.strictObject({ subdomain, invite_id: id('invitation') }))
    .output(z.void())
    .mutation(async ({ ctx, input }) => {
      const isDeleted = await ctx.transaction(sql => deleteInvite(sql, ctx.space.id, input.invite_id))
      if (!isDeleted) throw new Problem('invite_not_found')
    }),

  /**
   * Creates a link with which one person can join the space. It is shown only in this response. Requires a recent
   * sign-in.
   */
  create: inSpace({ ownersOnly: true })
    .input(z.strictObject({ subdomain, role: role.default('owner') }))
    .output(z.object({ id: z.string(), url: z.string(), expires_at: timestamp, role }))
    .mutation(async ({ ctx, input: { role } }) => {
      await requireConfirmation(ctx.sql, ctx.caller)
      const { id, token, expiresAt } = await createInvite(
        ctx.writeMembership,
        ctx.space.id,
        ctx.participantId,
        role,
      )
      // The token is in the fragment, which browsers never send to a server.
      return {
        id,
        url: `${ctx.core.addresses.apiRoot}/admin/join#${token}`,
        expires_at: expiresAt.toISOString(),
        role,
      }
    }),

  /**
   * Describes an invitation without using it up. Although this changes nothing, it is a mutation, because the
   * input of a query is part of the URL, and URLs are logged.
   */
  look: procedure
    .input(z.strictObject({ token: linkToken }))
    .output(
      z.object({
        subdomain: z.string(),
        name: z.string(),
        icon_url: z.string().nullable(),
        inviter: z.string(),
        role,
      }),
    )
    .mutation(async ({ ctx, input }) => {
      await countClient(ctx)
      const row = await findInvite(ctx.core.database, hashSecret(input.token), new Date())
      if (!row) throw new Problem('invite_not_found')
      const { subdomain, name, inviter, role, icon_id } = row
      return {
        subdomain,
        name,
        inviter,
        role,
        icon_url: icon_id === null ? null : ctx.core.addresses.icon(icon_id),
      }
    }),

  /** Joins the space of an invitation, which can be used once. */
  accept: signedIn
    .input(z.strictObject({ token: linkToken }))
    .output(z.object({ subdomain: z.string(), name: z.string() }))
    .mutation(({ ctx, input }) =>
      ctx.transaction(sql =>
        acceptInvite(sql, input.token, ctx.session.accountId, ctx.core.creationLimits.participants),
      ),
    ),
})
