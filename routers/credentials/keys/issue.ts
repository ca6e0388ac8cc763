import { newId } from '../../../db/id.ts'
import { withMembershipLocked } from '../../../db/locks.ts'
import type { Orm, Sql } from '../../../db/orm.ts'
import { insertSpaceKey } from '../../../db/queries/space-keys.ts'
import { endAfter } from '../../access/expiry.ts'
import { hashSecret, hintOf, newSecret } from '../../access/secret.ts'
import type { SpaceScope } from '../../core/scopes.ts'
import { requireRoomForKey } from './room.ts'

interface NewKey {
  label: string
  scopes: readonly SpaceScope[]
  /** Milliseconds after which it ends by itself; it does not unless said. */
  lifetime?: number | null
}

/** Who issues a key, and where. */
interface Issuer {
  spaceId: string
  participantId: string
}

/**
 * Issues a space key in a participant's name.
 *
 * @returns the stored key, and its secret, which is nowhere else from now on
 * @throws `too_many_keys`, MissingRowError, or a violation of `space_keys_issuer_id_foreign`
 */
export const issueKey = (orm: Orm, { spaceId, participantId }: Issuer, key: NewKey) =>
  withMembershipLocked(orm, spaceId, async sql => {
    await requireRoomForKey(sql, spaceId, new Date(), false)
    return storeKey(sql, participantId, key)
  })

/** Stores a new key, for which there is room. */
export const storeKey = async (
  sql: Sql,
  participantId: string,
  { label, scopes, lifetime = null }: NewKey,
) => {
  const secret = newSecret('space_key')
  const now = new Date()
  const key = {
    id: newId(),
    label,
    hint: hintOf(secret),
    scopes: [...scopes],
    created_at: now,
    expires_at: endAfter(lifetime, now),
  }
  await insertSpaceKey(sql, { ...key, issuer_id: participantId, secret_hash: hashSecret(secret) })
  return { key, secret }
}
