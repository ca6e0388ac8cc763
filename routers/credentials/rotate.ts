import { Problem } from '../core/problem.ts'
import { expiryOfRotated, isRotatable, originalLifetime } from './expiry.ts'
import { type Issued, insertNew } from './issue.ts'
import { requireCapacity } from './limit.ts'
import type { CredentialStore } from './store.ts'

/**
 * Issues a credential with the label, scopes and lifetime of another one, which stops working after the overlap.
 *
 * The lock of the owner keeps other rotations away. A revocation takes no lock: one that deletes the old credential
 * meanwhile has the same result as one that comes right after.
 *
 * @param overlap in seconds; 0 deletes the old credential
 * @param requireConfirmation called before one is issued that does not expire
 * @throws `key_not_found` or `token_not_found`; `key_ended` or `token_ended` for one that has expired or was rotated
 *   before; `too_many_keys` or `too_many_tokens` when too many rotated ones still work
 */
export const rotate = async <Scope extends string>(
  store: CredentialStore<Scope>,
  id: string,
  overlap: number,
  requireConfirmation: () => Promise<void>,
): Promise<Issued<Scope>> => {
  const old = await store.find(id)
  if (!old) throw new Problem(store.errors.notFound)
  const now = new Date()
  if (!isRotatable(old, now)) throw new Problem(store.errors.ended)
  if (old.expires_at === null) await requireConfirmation()
  if (overlap === 0) await store.delete(id)
  else {
    await requireCapacity(store, now, true)
    await store.markRotated(id, now, expiryOfRotated(old, overlap, now))
  }
  const scopes = store.scopes.filter(scope => old.scopes.includes(scope))
  return insertNew(store, { label: old.label, scopes, lifetime: originalLifetime(old) })
}
