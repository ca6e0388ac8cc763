import { withAccountLocked } from '../../../db/locks.ts'
import type { Orm } from '../../../db/orm.ts'
import { lockUserToken, replaceUserToken } from '../../../db/queries/rotation.ts'
import { deleteUserToken } from '../../../db/queries/user-tokens.ts'
import { endOfReplaced, isReplaceable, lifetimeAsIssued } from '../../access/expiry.ts'
import { Problem } from '../../core/problem.ts'
import { USER_SCOPES } from '../../core/scopes.ts'
import { storeToken } from './issue.ts'
import { requireRoomForToken } from './room.ts'

/**
 * Issues a token like another one of the account and lets that one stop, both or neither. A connected client's is not
 * rotated by hand: the client renews it itself.
 *
 * @param overlap seconds for which the old token goes on working
 * @throws `token_not_found`; `token_ended` for a token that opens nothing any more or has been rotated before;
 *   `too_many_tokens` when the old one is to go on and too many do; MissingRowError
 */
export const rotateToken = (orm: Orm, accountId: string, tokenId: string, overlap: number) =>
  withAccountLocked(orm, accountId, async sql => {
    const old = await lockUserToken(sql, accountId, tokenId)
    if (!old) throw new Problem('token_not_found')
    const now = new Date()
    if (!isReplaceable(old, now)) throw new Problem('token_ended')
    if (overlap === 0) await deleteUserToken(sql, accountId, tokenId)
    else {
      await requireRoomForToken(sql, accountId, now, true)
      await replaceUserToken(sql, tokenId, now, endOfReplaced(old, overlap, now))
    }
    const { label } = old
    const scopes = USER_SCOPES.filter(scope => old.scopes.includes(scope))
    return storeToken(sql, accountId, { label, scopes, lifetime: lifetimeAsIssued(old) })
  })
