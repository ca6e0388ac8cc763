import { z } from 'zod'
import { Participant } from '../../../db/entities/participant.ts'
import { sqlOf } from '../../../db/orm.ts'
import { listParticipants, lockSpace } from '../../../db/queries/spaces.ts'
import { asParticipant } from '../../access/signed-in.ts'
import { subdomain, timestamp } from '../../core/fields.ts'
import { Problem } from '../../core/problem.ts'
import { router } from '../../core/trpc.ts'

export const participants = router({
  list: asParticipant
    .input(z.strictObject({ subdomain }))
    .output(z.array(z.object({ handle: z.string(), joined_at: timestamp })))
    .query(async ({ ctx }) => {
      const rows = await listParticipants(ctx.sql, ctx.space.id)
      return rows.map(({ handle, joined_at }) => ({ handle, joined_at: joined_at.toISOString() }))
    }),

  /** Leaves the space. Keys and invitations one issued there end for good, also if one comes back. */
  leave: asParticipant
    .input(z.strictObject({ subdomain }))
    .output(z.void())
    .mutation(({ ctx }) =>
      ctx.em.transactional(async em => {
        // Locked, because two who leave at once must not both find the other one staying.
        if (!(await lockSpace(sqlOf(em), ctx.space.id))) throw new Problem('space_not_found')
        if ((await em.count(Participant, { space: ctx.space.id })) <= 1) throw new Problem('last_participant')
        await em.nativeDelete(Participant, { id: ctx.participantId })
      }),
    ),
})
