import { Problem } from '../core/problem.ts'
import { expiryOfRotated, isRotatable, originalLifetime } from './expiry.ts'
import { type Issued, insertNew } from './issue.ts'
import { requireCapacity } from './limit.ts'
import type { CredentialStore } from './store.ts'

/**
 * Issues a credential with the label, scopes and lifetime of an existing one. The old one stops working after the
 * overlap.
 *
 * The owner's lock excludes concurrent rotations. A revocation takes no lock: revoking the old credential during the
 * rotation has the same result as revoking it right afterwards.
 *
 * @param overlap how long the old credential keeps working, in seconds; 0 deletes it at once
 * @throws `key_not_found` or `token_not_found`; `key_ended` or `token_ended` for a credential that has expired or was
 *   already rotated; `too_many_keys` or `too_many_tokens` when too many rotated credentials still work
 */
export const rotate = async <Scope extends string>(
  store: CredentialStore<Scope>,
  id: string,
  overlap: number,
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
  return insertNew(store, { label: old.label, scopes, lifetime: originalLifetime(old) }, old)
}
