import { Invite } from '../../../db/entities/invite.ts'
import { newId } from '../../../db/id.ts'
import { type Em, sqlOf } from '../../../db/orm.ts'
import { deleteEndedInvites, listInvites } from '../../../db/queries/invites.ts'
import { lockSpaceAccess } from '../../../db/queries/spaces.ts'
import { hashSecret } from '../../access/secret.ts'
import { newToken } from '../../access/session.ts'
import { Problem } from '../../core/problem.ts'
import { limits } from '../../core/rules.ts'

/** Milliseconds that an invitation opens for. */
const LIFETIME = limits.inviteDays * 24 * 60 * 60 * 1000

/**
 * Makes an invitation in a participant's name.
 *
 * @returns its token, which is nowhere else from now on
 * @throws `too_many_invites`, `space_not_found`, or a violation of `invites_inviter_id_foreign`
 */
export const createInvite = (em: Em, spaceId: string, participantId: string) =>
  em.transactional(async em => {
    const sql = sqlOf(em)
    if (!(await lockSpaceAccess(sql, spaceId))) throw new Problem('space_not_found')
    const now = new Date()
    await deleteEndedInvites(sql, spaceId, now)
    if ((await listInvites(sql, spaceId, now)).length >= limits.openInvites)
      throw new Problem('too_many_invites', {
        detail: `A space has at most ${limits.openInvites} of them. Withdraw one that nobody is going to use, then try again.`,
      })
    const token = newToken()
    const { id, expiresAt } = em.create(Invite, {
      id: newId(),
      tokenHash: hashSecret(token),
      inviter: participantId,
      createdAt: now,
      expiresAt: new Date(now.getTime() + LIFETIME),
    })
    await em.flush()
    return { id, token, expiresAt }
  })
