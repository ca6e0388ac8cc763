import { newId } from '../../../db/id.ts'
import { deleteEndedInvites, insertInvite, listInvites, type Role } from '../../../db/queries/participants.ts'
import type { Transaction } from '../../../db/transaction.ts'
import { newToken } from '../../api/browser-session.ts'
import { Problem } from '../../api/problem.ts'
import { limits } from '../../api/rules.ts'
import { hashSecret } from '../../api/secret.ts'

/** How long an invitation is valid, in ms. */
const LIFETIME = limits.inviteDays * 24 * 60 * 60 * 1000

/**
 * Creates an invitation on behalf of a participant.
 *
 * @param write runs the transaction, with the space locked
 * @param role the role of the person who joins
 * @returns the id, token and expiry of the invitation; only the hash of the token is stored
 * @throws `too_many_invites`, MissingRowError, or a violation of `invites_inviter_id_foreign`
 */
export const createInvite = (
  write: <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>,
  spaceId: string,
  participantId: string,
  role: Role,
) =>
  write(async sql => {
    const now = new Date()
    await deleteEndedInvites(sql, spaceId, now)
    if ((await listInvites(sql, spaceId, now)).length >= limits.openInvites)
      throw new Problem('too_many_invites', {
        detail: `A space can have at most ${limits.openInvites} open invitations. Revoke one that you no longer need, then try again.`,
      })
    const token = newToken()
    const id = newId()
    const expiresAt = new Date(now.getTime() + LIFETIME)
    await insertInvite(sql, {
      id,
      token_hash: hashSecret(token),
      inviter_id: participantId,
      role,
      created_at: now,
      expires_at: expiresAt,
    })
    return { id, token, expiresAt }
  })
