import { z } from 'zod'
import { Invite } from '../../db/entities/invite.ts'
import { Participant } from '../../db/entities/participant.ts'
import { Space } from '../../db/entities/space.ts'
import { newId } from '../../db/id.ts'
import { hashSecret } from '../access/secret.ts'
import { newToken } from '../access/session.ts'
import { asParticipant, signedIn } from '../access/signed-in.ts'
import { subdomain, timestamp } from '../fields.ts'
import { Problem } from '../problem.ts'
import { router } from '../trpc.ts'

/** Milliseconds that an invitation opens for. */
const LIFETIME = 7 * 24 * 60 * 60 * 1000

export const invites = router({
  /** Makes a link by which one person joins the space. The link is shown this once. */
  create: asParticipant
    .input(z.strictObject({ subdomain }))
    .output(z.object({ url: z.string(), expires_at: timestamp }))
    .mutation(async ({ ctx }) => {
      const token = newToken()
      const now = new Date()
      const expiresAt = new Date(now.getTime() + LIFETIME)
      ctx.em.create(Invite, {
        id: newId(),
        tokenHash: hashSecret(token),
        inviter: ctx.participantId,
        createdAt: now,
        expiresAt,
      })
      await ctx.em.flush()
      // In the fragment, which browsers send to nobody.
      return { url: `${ctx.core.addresses.apiRoot}/admin/join#${token}`, expires_at: expiresAt.toISOString() }
    }),

  /** Joins the space of an invitation, which is used up by it. */
  accept: signedIn
    .input(z.strictObject({ token: z.string().max(100) }))
    .output(z.object({ subdomain: z.string(), name: z.string() }))
    .mutation(({ ctx, input }) =>
      ctx.em.transactional(async em => {
        const now = new Date()
        const invite = await em.findOne(Invite, {
          tokenHash: hashSecret(input.token),
          expiresAt: { $gt: now },
        })
        if (!invite) throw new Problem('invite_not_found')
        // Whoever deletes the row has it: of two who open the link at once, one joins.
        if ((await em.nativeDelete(Invite, { id: invite.id })) === 0) throw new Problem('invite_not_found')
        const inviter = await em.findOneOrFail(Participant, invite.inviter)
        const space = await em.findOneOrFail(Space, inviter.space)
        em.create(Participant, {
          id: newId(),
          space: space.id,
          account: ctx.session.accountId,
          joinedAt: now,
        })
        await em.flush()
        return { subdomain: space.subdomain, name: space.name }
      }),
    ),
})
