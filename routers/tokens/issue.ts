import { UserToken } from '../../db/entities/user-token.ts'
import { newId } from '../../db/id.ts'
import type { Em } from '../../db/orm.ts'
import { endAfter } from '../access/expiry.ts'
import { hashSecret, hintOf, newSecret } from '../access/secret.ts'
import type { UserScope } from '../scopes.ts'

interface NewToken {
  label: string
  scopes: readonly UserScope[]
  /** Milliseconds after which it ends by itself; null when it does not. */
  lifetime: number | null
}

/**
 * Issues a token with which a program acts as that account.
 *
 * @returns the stored token, and its secret, which is nowhere else from now on
 */
export const issueToken = async (em: Em, accountId: string, { label, scopes, lifetime }: NewToken) => {
  const secret = newSecret('user_token')
  const now = new Date()
  const token = em.create(UserToken, {
    id: newId(),
    account: accountId,
    label,
    secretHash: hashSecret(secret),
    hint: hintOf(secret),
    scopes: [...scopes],
    createdAt: now,
    expiresAt: endAfter(lifetime, now),
  })
  await em.flush()
  return { token, secret }
}
