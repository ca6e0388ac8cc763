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
 * The credentials of one owner: the keys of a space or the tokens of an account. Keys and tokens differ only in these
 * members; both are issued, rotated and limited by the same code. Every method runs in a transaction that has locked
 * the owner.
 */
export interface CredentialStore<Scope extends string> {
  secretKind: SecretKind
  scopes: readonly Scope[]
  /**
   * Maximum number of working credentials. The same number limits rotated credentials that still work, and expired
   * credentials that are listed.
   */
  limit: number
  errors: {
    notFound: ErrorCode
    ended: ErrorCode
    tooMany: { code: ErrorCode; detail: string; rotatedDetail: string }
  }
  /** Counts working credentials: current ones, and rotated ones that still work. */
  count(now: Date): Promise<{ lasting: number; replaced: number }>
  /** Deletes expired credentials beyond the number that is listed. */
  deleteExpired(now: Date): Promise<unknown>
  insert(credential: NewCredential): Promise<unknown>
  /** Returns a credential that can be rotated or revoked by hand. */
  find(id: string): Promise<({ label: string; scopes: readonly string[] } & Dates) | undefined>
  delete(id: string): Promise<boolean>
  /** Marks a credential as rotated and sets its new expiry. */
  markRotated(id: string, rotatedAt: Date, expiresAt: Date): Promise<unknown>
}
