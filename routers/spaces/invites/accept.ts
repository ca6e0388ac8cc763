import { Participant } from '../../../db/entities/participant.ts'
import { newId } from '../../../db/id.ts'
import { type Em, sqlOf } from '../../../db/orm.ts'
import { findInvite, holdSpace, takeInvite } from '../../../db/queries/invites.ts'
import { hashSecret } from '../../access/secret.ts'
import { Problem } from '../../core/problem.ts'

/**
 * Lets an account join the space of an invitation, which is used up by it.
 *
 * @param em inside a transaction, which is to be given up when this throws
 * @throws `invite_not_found`, or a violation of `participants_space_account_unique`
 */
export const acceptInvite = async (em: Em, token: string, accountId: string) => {
  const sql = sqlOf(em)
  const invite = await findInvite(sql, hashSecret(token), new Date())
  const isOpen = invite && (await holdSpace(sql, invite.space_id)) && (await takeInvite(sql, invite.id))
  if (!isOpen) throw new Problem('invite_not_found')
  em.create(Participant, {
    id: newId(),
    space: invite.space_id,
    account: accountId,
    joinedAt: new Date(),
  })
  await em.flush()
  return { subdomain: invite.subdomain, name: invite.name }
}
