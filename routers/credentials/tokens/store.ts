import type { Sql } from '../../../db/orm.ts'
import { findTokenToRotate, replaceUserToken } from '../../../db/queries/rotation.ts'
import {
  countUserTokens,
  deleteEndedUserTokens,
  deleteUserToken,
  insertUserToken,
} from '../../../db/queries/user-tokens.ts'
import { limits } from '../../core/rules.ts'
import { USER_SCOPES, type UserScope } from '../../core/scopes.ts'
import { IDLE_GRANT } from '../expiry.ts'
import type { CredentialStore } from '../store.ts'

/** The tokens of an account. Tokens of connected apps count towards the limit, but people cannot rotate them. */
export const tokenStore = (sql: Sql, accountId: string): CredentialStore<UserScope> => ({
  secretKind: 'user_token',
  scopes: USER_SCOPES,
  limit: limits.tokens,
  errors: {
    notFound: 'token_not_found',
    ended: 'token_ended',
    tooMany: {
      code: 'too_many_tokens',
      detail: `An account can have at most ${limits.tokens} tokens and connected apps. Revoke one you no longer use, then try again.`,
      rotatedDetail: `An account can have at most ${limits.tokens} rotated tokens that still work. Revoke one of them, or let the old token stop working immediately.`,
    },
  },
  count: now => countUserTokens(sql, accountId, now, new Date(now.getTime() - IDLE_GRANT)),
  deleteExpired: now => deleteEndedUserTokens(sql, accountId, now, limits.tokens),
  insert: token => insertUserToken(sql, { ...token, account_id: accountId }),
  find: id => findTokenToRotate(sql, accountId, id),
  delete: async id => (await deleteUserToken(sql, accountId, id)) !== undefined,
  markRotated: (id, rotatedAt, expiresAt) => replaceUserToken(sql, id, rotatedAt, expiresAt),
})
