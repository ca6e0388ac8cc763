import { SpaceKey } from '../../../db/entities/space-key.ts'
import { newId } from '../../../db/id.ts'
import { type Em, sqlOf } from '../../../db/orm.ts'
import { lockSpaceAccess } from '../../../db/queries/spaces.ts'
import { endAfter } from '../../access/expiry.ts'
import { hashSecret, hintOf, newSecret } from '../../access/secret.ts'
import { Problem } from '../../core/problem.ts'
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
 * @throws `too_many_keys`, `space_not_found`, or a violation of `space_keys_issuer_id_foreign`
 */
export const issueKey = (em: Em, { spaceId, participantId }: Issuer, key: NewKey) =>
  em.transactional(async em => {
    const sql = sqlOf(em)
    if (!(await lockSpaceAccess(sql, spaceId))) throw new Problem('space_not_found')
    await requireRoomForKey(sql, spaceId, new Date(), false)
    return storeKey(em, participantId, key)
  })

/** Stores a new key, for which there is room. */
export const storeKey = async (em: Em, participantId: string, { label, scopes, lifetime = null }: NewKey) => {
  const secret = newSecret('space_key')
  const now = new Date()
  const key = em.create(SpaceKey, {
    id: newId(),
    issuer: participantId,
    label,
    secretHash: hashSecret(secret),
    hint: hintOf(secret),
    scopes: [...scopes],
    createdAt: now,
    expiresAt: endAfter(lifetime, now),
  })
  await em.flush()
  return { key, secret }
}
