import { newId } from '../../db/id.ts'
import type { AuditKind } from '../../db/queries/audit.ts'
import type { Actor } from '../api/actor.ts'
import { recordEvent } from '../api/audit.ts'
import { Problem } from '../api/problem.ts'
import { hashSecret, hintOf, newSecret } from '../api/secret.ts'
import { expiryAfter, expiryOfRotated, isRotatable, originalLifetime } from './expiry.ts'
import type { CredentialStore } from './store.ts'

/** What the issuer of a credential chooses. */
interface Choice<Scope extends string> {
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
 * Issues a key or token.
 *
 * @param actor recorded in the audit log; null for the operator's command
 * @throws `too_many_keys` or `too_many_tokens`, or a violation of `space_keys_issuer_id_foreign`
 */
export const issue = async <Scope extends string>(
  store: CredentialStore<Scope>,
  choice: Choice<Scope>,
  actor: Actor | null,
): Promise<Issued<Scope>> => {
  await requireCapacity(store, new Date())
  return insertNew(store, choice, actor, store.events.issued)
}

/**
 * Creates the secret, stores the credential and records the event, without checking the limit.
 *
 * @param rotated the credential that the new one replaces
 */
const insertNew = async <Scope extends string>(
  store: CredentialStore<Scope>,
  { label, scopes, lifetime = null }: Choice<Scope>,
  actor: Actor | null,
  event: AuditKind,
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
  await recordEvent(store.sql, store.owner, event, actor, { label, scopes })
  return { ...credential, secret }
}

/**
 * Rotates a key or token: issues a credential with the label, scopes and lifetime of an existing one. The old one stops working after the
 * overlap.
 *
 * The owner's lock excludes concurrent rotations. A revocation takes no lock: revoking the old credential during the
 * rotation has the same result as revoking it right afterwards.
 *
 * @param overlap how long the old credential keeps working, in seconds; 0 deletes it at once
 * @param actor recorded in the audit log
 * @throws `key_not_found` or `token_not_found`; `key_ended` or `token_ended` for a credential that has expired or was
 *   already rotated; `too_many_keys` or `too_many_tokens` when too many rotated credentials still work
 */
export const rotate = async <Scope extends string>(
  store: CredentialStore<Scope>,
  id: string,
  overlap: number,
  actor: Actor,
): Promise<Issued<Scope>> => {
  const old = await store.find(id)
  if (!old) throw new Problem(store.errors.notFound)
  const now = new Date()
  if (!isRotatable(old, now)) throw new Problem(store.errors.ended)
  if (overlap === 0) await store.delete(id)
  else {
    await requireCapacity(store, now, true)
    await store.markRotated(id, now, expiryOfRotated(old, overlap, now))
  }
  const scopes = store.scopes.filter(scope => old.scopes.includes(scope))
  const choice = { label: old.label, scopes, lifetime: originalLifetime(old) }
  return insertNew(store, choice, actor, store.events.rotated, old)
}

type Limited = Pick<CredentialStore<string>, 'limit' | 'errors' | 'count' | 'deleteExpired'>

/**
 * Refuses a new credential if the limit is reached; otherwise deletes old expired credentials.
 *
 * @param keepsRotated whether the new credential replaces one that keeps working for a while
 * @throws `too_many_keys` or `too_many_tokens`
 */
export const requireCapacity = async (store: Limited, now: Date, keepsRotated = false): Promise<void> => {
  const { limit, errors } = store
  const { lasting, replaced } = await store.count(now)
  const { code, detail, rotatedDetail } = errors.tooMany
  if ((keepsRotated ? replaced : lasting) >= limit)
    throw new Problem(code, { detail: keepsRotated ? rotatedDetail : detail })
  await store.deleteExpired(now)
}
