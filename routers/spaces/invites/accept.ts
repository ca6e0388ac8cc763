import type { Sql } from '../../../db/database.ts'
import { newId } from '../../../db/id.ts'
import { insertAuditEvents } from '../../../db/queries/audit.ts'
import { isSpaceFullOfParticipants } from '../../../db/queries/full.ts'
import { consumeInvite, findInvite, insertParticipant } from '../../../db/queries/participants.ts'
import { lockMembership } from '../../../db/queries/spaces.ts'
import { Problem, refuseIfFull } from '../../api/problem.ts'
import { hashSecret } from '../../api/secret.ts'

/**
 * Adds an account to the space of an invitation and deletes the invitation.
 *
 * @param sql inside a transaction, which must roll back when this throws
 * @throws `invite_not_found`, `limit_reached`, or a violation of `participants_space_account_unique`
 */
export const acceptInvite = async (sql: Sql, token: string, accountId: string, maxParticipants: number) => {
  const invite = await findInvite(sql, hashSecret(token), new Date())
  // Lock the space before the invitation, because deleting a space takes locks in the same order.
  const isOpen =
    invite && (await lockMembership(sql, invite.space_id)) && (await consumeInvite(sql, invite.id))
  if (!isOpen) throw new Problem('invite_not_found')
  refuseIfFull(
    await isSpaceFullOfParticipants(sql, invite.space_id, maxParticipants),
    `A space can have at most ${maxParticipants} participants.`,
  )
  await insertParticipant(sql, {
    id: newId(),
    space_id: invite.space_id,
    account_id: accountId,
    joined_at: new Date(),
    role: invite.role,
  })
  await insertAuditEvents(sql, [
    {
      owner: { spaceId: invite.space_id },
      kind: 'participant_joined',
      actor: accountId,
      actorLabel: null,
      details: { role: invite.role },
    },
  ])
  return { subdomain: invite.subdomain, name: invite.name }
}
