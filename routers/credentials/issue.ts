import { newId } from '../../db/id.ts'
import { hashSecret, hintOf, newSecret } from '../access/secret.ts'
import { expiryAfter } from './expiry.ts'
import { requireCapacity } from './limit.ts'
import type { CredentialStore } from './store.ts'

/** What the issuer of a credential chooses. */
export interface Choice<Scope extends string> {
  label: string
  scopes: readonly Scope[]
  /** Lifetime in ms; null or absent for a credential that does not expire. */
  lifetime?: number | null
}

/** A credential that has just been issued. */
export interface Issued<Scope extends string> {
  id: string
  label: string
  hint: string
  scopes: Scope[]
  created_at: Date
  expires_at: Date | null
  /** Shown once; only its hash is stored. */
  secret: string
}

/**
 * Issues a credential.
 *
 * @throws `too_many_keys` or `too_many_tokens`
 */
export const issue = async <Scope extends string>(
  store: CredentialStore<Scope>,
  choice: Choice<Scope>,
): Promise<Issued<Scope>> => {
  await requireCapacity(store, new Date())
  return insertNew(store, choice)
}

/**
 * Creates the secret and stores the credential, without checking the limit.
 *
 * @param rotated the credential that the new one replaces
 */
export const insertNew = async <Scope extends string>(
  store: CredentialStore<Scope>,
  { label, scopes, lifetime = null }: Choice<Scope>,
  rotated?: { first_id?: string },
): Promise<Issued<Scope>> => {
  const secret = newSecret(store.secretKind)
  const now = new Date()
  const credential = {
    id: newId(),
    label,
    hint: hintOf(secret),
    scopes: [...scopes],
    created_at: now,
    expires_at: expiryAfter(lifetime, now),
  }
  await store.insert({ ...credential, secret_hash: hashSecret(secret) }, rotated)
  return { ...credential, secret }
}
