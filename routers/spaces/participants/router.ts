import { z } from 'zod'
import { endKeysOfIssuer } from '../../../db/queries/audit.ts'
import { deleteDraftsInSpace } from '../../../db/queries/drafts.ts'
import { countParticipants, deleteParticipant, listParticipants } from '../../../db/queries/participants.ts'
import { recordEvent } from '../../api/audit.ts'
import { subdomain, timestamp } from '../../api/fields.ts'
import { inSpace } from '../../api/in-space.ts'
import { Problem } from '../../api/problem.ts'
import { router } from '../../api/trpc.ts'

export const participants = router({
  list: inSpace({ sessionOnly: true })
    .input(z.strictObject({ subdomain }))
    .output(z.array(z.object({ handle: z.string(), joined_at: timestamp })))
    .query(async ({ ctx }) => {
      const rows = await listParticipants(ctx.sql, ctx.space.id)
      return rows.map(({ handle, joined_at }) => ({ handle, joined_at: joined_at.toISOString() }))
    }),

  /**
   * Leaves the space. Permanently deletes the keys and invitations that the participant issued, and the
   * participant's drafts in the space.
   */
  leave: inSpace({ sessionOnly: true })
    .input(z.strictObject({ subdomain }))
    .output(z.void())
    .mutation(({ ctx }) =>
      // Count under the lock, so that the last two participants cannot both leave at the same time.
      ctx.writeMembership(async sql => {
        if ((await countParticipants(sql, ctx.space.id)) <= 1) throw new Problem('last_participant')
        await deleteDraftsInSpace(sql, ctx.accountId, ctx.space.id)
        await endKeysOfIssuer(sql, ctx.accountId, ctx.space.id, new Date())
        await deleteParticipant(sql, ctx.participantId)
        await recordEvent(sql, { spaceId: ctx.space.id }, 'participant_left', ctx.caller)
      }),
    ),
})
