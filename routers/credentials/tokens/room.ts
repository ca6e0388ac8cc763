import type { Sql } from '../../../db/orm.ts'
import { countUserTokens, deleteEndedUserTokens } from '../../../db/queries/user-tokens.ts'
import { Problem } from '../../core/problem.ts'
import { limits } from '../../core/rules.ts'
import { IDLE_GRANT } from '../oauth/lifetimes.ts'

/**
 * Refuses one token too many. It holds only under the lock of the account.
 *
 * @param isReplacing whether it takes the place of one that goes on working for a while
 * @throws `too_many_tokens`
 */
export const requireRoomForToken = async (sql: Sql, accountId: string, now: Date, isReplacing: boolean) => {
  const renewedSince = new Date(now.getTime() - IDLE_GRANT)
  const { lasting, replaced } = await countUserTokens(sql, accountId, now, renewedSince)
  if (isReplacing && replaced >= limits.tokens)
    throw new Problem('too_many_tokens', {
      detail: `${limits.tokens} tokens that were replaced still work. Revoke one of them, or let this one stop at once.`,
    })
  if (!isReplacing && lasting >= limits.tokens)
    throw new Problem('too_many_tokens', {
      detail: `An account has at most ${limits.tokens} tokens and connected clients. Revoke one that nothing uses any more, then try again.`,
    })
  await deleteEndedUserTokens(sql, accountId, now, limits.tokens)
}
