import type { Sql } from '../../db/database.ts'
import type { AuditKind, AuditOwner } from '../../db/queries/audit.ts'
import {
  countSpaceKeys,
  countUserTokens,
  deleteEndedSpaceKeys,
  deleteEndedUserTokens,
  deleteSpaceKey,
  deleteUserToken,
  findKeyToRotate,
  findTokenToRotate,
  insertSpaceKey,
  insertUserToken,
  replaceSpaceKey,
  replaceUserToken,
} from '../../db/queries/credentials.ts'
import type { ErrorCode } from '../api/errors.ts'
import { limits } from '../api/rules.ts'
import { SPACE_SCOPES, type SpaceScope, USER_SCOPES, type UserScope } from '../api/scopes.ts'
import type { SecretKind } from '../api/secret.ts'
import { type Dates, IDLE_GRANT } from './expiry.ts'

/** A new credential, ready to be inserted. */
interface NewCredential {
  id: string
  label: string
  hint: string
  scopes: string[]
  created_at: Date
  expires_at: Date | null
  secret_hash: Buffer
}

/**
 * The credentials of one owner: the keys of a space or the tokens of an account. The same code issues, rotates and
 * limits keys and tokens; only these members differ. Every method runs in a transaction that has locked the owner.
 */
export interface CredentialStore<Scope extends string> {
  /** The transaction. */
  sql: Sql
  owner: AuditOwner
  /** What the audit log calls a new and a rotated credential. */
  events: { issued: AuditKind; rotated: AuditKind }
  secretKind: SecretKind
  scopes: readonly Scope[]
  /**
   * Maximum number of current credentials. The same maximum applies separately to rotated credentials that still work,
   * and to expired credentials that stay in the list.
   */
  limit: number
  errors: {
    notFound: ErrorCode
    ended: ErrorCode
    tooMany: { code: ErrorCode; detail: string; rotatedDetail: string }
  }
  /** Counts working credentials: current ones, and rotated ones that still work. */
  count(now: Date): Promise<{ lasting: number; replaced: number }>
  /** Deletes all expired credentials except the most recent ones, which stay in the list. */
  deleteExpired(now: Date): Promise<unknown>
  /** @param rotated the credential that this one replaces, as returned by `find` */
  insert(credential: NewCredential, rotated?: { first_id?: string }): Promise<unknown>
  /** Returns a credential that people can rotate or revoke. */
  find(
    id: string,
  ): Promise<({ label: string; scopes: readonly string[]; first_id?: string } & Dates) | undefined>
  delete(id: string): Promise<boolean>
  /** Marks a credential as rotated and sets its new expiry. */
  markRotated(id: string, rotatedAt: Date, expiresAt: Date): Promise<unknown>
}

/** Who issues a key, and for which space. */
export interface Issuer {
  spaceId: string
  participantId: string
}

/**
 * The keys of a space. The participant becomes the issuer of new keys. Keys of connected apps count towards the limit,
 * but people cannot rotate them.
 */
export const keyStore = (sql: Sql, { spaceId, participantId }: Issuer): CredentialStore<SpaceScope> => ({
  sql,
  owner: { spaceId },
  events: { issued: 'key_issued', rotated: 'key_rotated' },
  secretKind: 'space_key',
  scopes: SPACE_SCOPES,
  limit: limits.keys,
  errors: {
    notFound: 'key_not_found',
    ended: 'key_ended',
    tooMany: {
      code: 'too_many_keys',
      detail: `A space can have at most ${limits.keys} keys and connected apps. Revoke one you no longer use, then try again.`,
      rotatedDetail: `A space can have at most ${limits.keys} rotated keys that still work. Revoke one of them, or let the old key stop working immediately.`,
    },
  },
  count: now => countSpaceKeys(sql, spaceId, now, new Date(now.getTime() - IDLE_GRANT)),
  deleteExpired: now => deleteEndedSpaceKeys(sql, spaceId, now, limits.keys),
  insert: (key, rotated) =>
    insertSpaceKey(sql, { ...key, issuer_id: participantId, first_id: rotated?.first_id ?? null }),
  find: id => findKeyToRotate(sql, spaceId, id),
  delete: async id => (await deleteSpaceKey(sql, spaceId, id)) !== undefined,
  markRotated: (id, rotatedAt, expiresAt) => replaceSpaceKey(sql, id, rotatedAt, expiresAt),
})

/** The tokens of an account. Tokens of connected apps count towards the limit, but people cannot rotate them. */
export const tokenStore = (sql: Sql, accountId: string): CredentialStore<UserScope> => ({
  sql,
  owner: { accountId },
  events: { issued: 'token_issued', rotated: 'token_rotated' },
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
