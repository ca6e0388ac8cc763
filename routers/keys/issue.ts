import { SpaceKey } from '../../db/entities/space-key.ts'
import { newId } from '../../db/id.ts'
import type { Em } from '../../db/orm.ts'
import { hashSecret, hintOf, newSecret } from '../access/secret.ts'
import type { SpaceScope } from '../scopes.ts'

/**
 * Issues a space key in a participant's name.
 *
 * @returns the stored key, and its secret, which is nowhere else from now on
 */
export const issueKey = async (
  em: Em,
  participantId: string,
  { label, scopes }: { label: string; scopes: SpaceScope[] },
) => {
  const secret = newSecret('space_key')
  const key = em.create(SpaceKey, {
    id: newId(),
    issuer: participantId,
    label,
    secretHash: hashSecret(secret),
    hint: hintOf(secret),
    scopes,
    createdAt: new Date(),
  })
  await em.flush()
  return { key, secret }
}
