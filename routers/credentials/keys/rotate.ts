import { withMembershipLocked } from '../../../db/locks.ts'
import type { Orm } from '../../../db/orm.ts'
import { lockSpaceKey, replaceSpaceKey } from '../../../db/queries/rotation.ts'
import { deleteSpaceKey } from '../../../db/queries/space-keys.ts'
import { endOfReplaced, isReplaceable, lifetimeAsIssued } from '../../access/expiry.ts'
import { Problem } from '../../core/problem.ts'
import { SPACE_SCOPES } from '../../core/scopes.ts'
import { storeKey } from './issue.ts'
import { requireRoomForKey } from './room.ts'

interface Rotation {
  spaceId: string
  /** In whose name the new key is issued. */
  participantId: string
  keyId: string
  /** Seconds for which the old key goes on working. */
  overlap: number
}

/**
 * Issues a key like another one and lets that one stop, both or neither. Of two who rotate a key at once, one does.
 *
 * @throws `key_not_found`; `key_ended` for a key that opens nothing any more or has been rotated before;
 *   `too_many_keys` when the old one is to go on and too many do; MissingRowError, or a violation of
 *   `space_keys_issuer_id_foreign`
 */
export const rotateKey = (orm: Orm, { spaceId, participantId, keyId, overlap }: Rotation) =>
  withMembershipLocked(orm, spaceId, async sql => {
    const old = await lockSpaceKey(sql, spaceId, keyId)
    if (!old) throw new Problem('key_not_found')
    const now = new Date()
    if (!isReplaceable(old, now)) throw new Problem('key_ended')
    if (overlap === 0) await deleteSpaceKey(sql, spaceId, keyId)
    else {
      await requireRoomForKey(sql, spaceId, now, true)
      await replaceSpaceKey(sql, keyId, now, endOfReplaced(old, overlap, now))
    }
    const { label } = old
    const scopes = SPACE_SCOPES.filter(scope => old.scopes.includes(scope))
    return storeKey(sql, participantId, { label, scopes, lifetime: lifetimeAsIssued(old) })
  })
