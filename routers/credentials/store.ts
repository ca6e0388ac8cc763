import type { SecretKind } from '../access/secret.ts'
import type { ErrorCode } from '../core/errors.ts'
import type { Dates } from './expiry.ts'

/** A new credential, ready to be inserted. */
export interface NewCredential {
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
