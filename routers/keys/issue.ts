import { SpaceKey } from '../../db/entities/space-key.ts'
import { newId } from '../../db/id.ts'
import type { Em } from '../../db/orm.ts'
import { endAfter } from '../access/expiry.ts'
import { hashSecret, hintOf, newSecret } from '../access/secret.ts'
import type { SpaceScope } from '../scopes.ts'

interface NewKey {
  label: string
  scopes: readonly SpaceScope[]
  /** Milliseconds after which it ends by itself; it does not unless said. */
  lifetime?: number | null
}

/**
 * Issues a space key in a participant's name.
 *
 * @returns the stored key, and its secret, which is nowhere else from now on
 */
export const issueKey = async (em: Em, participantId: string, { label, scopes, lifetime = null }: NewKey) => {
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
