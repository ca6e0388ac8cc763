import { Problem } from '../core/problem.ts'
import type { CredentialStore } from './store.ts'

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
