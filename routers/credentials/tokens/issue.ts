import { UserToken } from '../../../db/entities/user-token.ts'
import { newId } from '../../../db/id.ts'
import { type Em, sqlOf } from '../../../db/orm.ts'
import { lockAccount } from '../../../db/queries/accounts.ts'
import { endAfter } from '../../access/expiry.ts'
import { hashSecret, hintOf, newSecret } from '../../access/secret.ts'
import { Problem } from '../../core/problem.ts'
import type { UserScope } from '../../core/scopes.ts'
import { requireRoomForToken } from './room.ts'

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
 * @throws `too_many_tokens`, `sign_in_required`
 */
export const issueToken = (em: Em, accountId: string, token: NewToken) =>
  em.transactional(async em => {
    const sql = sqlOf(em)
    if (!(await lockAccount(sql, accountId))) throw new Problem('sign_in_required')
    await requireRoomForToken(sql, accountId, new Date(), false)
    return storeToken(em, accountId, token)
  })

/** Stores a new token, for which there is room. */
export const storeToken = async (em: Em, accountId: string, { label, scopes, lifetime }: NewToken) => {
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
