import { newId } from '../../../db/id.ts'
import { withAccountLocked } from '../../../db/locks.ts'
import type { Orm, Sql } from '../../../db/orm.ts'
import { insertUserToken } from '../../../db/queries/user-tokens.ts'
import { endAfter } from '../../access/expiry.ts'
import { hashSecret, hintOf, newSecret } from '../../access/secret.ts'
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
 * @throws `too_many_tokens`, MissingRowError
 */
export const issueToken = (orm: Orm, accountId: string, token: NewToken) =>
  withAccountLocked(orm, accountId, async sql => {
    await requireRoomForToken(sql, accountId, new Date(), false)
    return storeToken(sql, accountId, token)
  })

/** Stores a new token, for which there is room. */
export const storeToken = async (sql: Sql, accountId: string, { label, scopes, lifetime }: NewToken) => {
  const secret = newSecret('user_token')
  const now = new Date()
  const token = {
    id: newId(),
    label,
    hint: hintOf(secret),
    scopes: [...scopes],
    created_at: now,
    expires_at: endAfter(lifetime, now),
  }
  await insertUserToken(sql, { ...token, account_id: accountId, secret_hash: hashSecret(secret) })
  return { token, secret }
}
