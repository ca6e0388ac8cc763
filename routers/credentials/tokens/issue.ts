import { withAccountLocked } from '../../../db/locks.ts'
import type { Orm, Sql } from '../../../db/orm.ts'
import type { UserScope } from '../../core/scopes.ts'
import { type Choice, issue } from '../issue.ts'
import { rotate } from '../rotate.ts'
import { tokenStore } from './store.ts'

/**
 * Issues a token that acts as the account.
 *
 * @throws `too_many_tokens`, MissingRowError
 */
export const issueToken = (orm: Orm, accountId: string, choice: Choice<UserScope>) =>
  withAccountLocked(orm, accountId, sql => issue(tokenStore(sql, accountId), choice))

/**
 * Rotates a token of the account. Connected apps refresh their own tokens instead.
 *
 * @param overlap in seconds
 * @param requireConfirmation called first if the new token will not expire
 * @throws what `rotate` throws, MissingRowError
 */
export const rotateToken = (
  orm: Orm,
  accountId: string,
  tokenId: string,
  overlap: number,
  requireConfirmation: (sql: Sql) => Promise<void>,
) =>
  withAccountLocked(orm, accountId, sql =>
    rotate(tokenStore(sql, accountId), tokenId, overlap, () => requireConfirmation(sql)),
  )
