import { newId } from '../../../db/id.ts'
import { withMembershipLocked } from '../../../db/locks.ts'
import type { Orm } from '../../../db/orm.ts'
import { deleteEndedInvites, insertInvite, listInvites } from '../../../db/queries/invites.ts'
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
 * @throws `too_many_invites`, MissingRowError, or a violation of `invites_inviter_id_foreign`
 */
export const createInvite = (orm: Orm, spaceId: string, participantId: string) =>
  withMembershipLocked(orm, spaceId, async sql => {
    const now = new Date()
    await deleteEndedInvites(sql, spaceId, now)
    if ((await listInvites(sql, spaceId, now)).length >= limits.openInvites)
      throw new Problem('too_many_invites', {
        detail: `A space has at most ${limits.openInvites} of them. Withdraw one that nobody is going to use, then try again.`,
      })
    const token = newToken()
    const id = newId()
    const expiresAt = new Date(now.getTime() + LIFETIME)
    await insertInvite(sql, {
      id,
      token_hash: hashSecret(token),
      inviter_id: participantId,
      created_at: now,
      expires_at: expiresAt,
    })
    return { id, token, expiresAt }
  })
