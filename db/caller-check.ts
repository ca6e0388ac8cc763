import type { Sql } from './orm.ts'
import type { Transaction } from './transaction.ts'

/**
 * Sends a statement that fails if the caller may no longer do what the transaction does: because the credential, the
 * session or the participation has ended since the request began, or the account was suspended. The statement's failure
 * also makes the transaction fail.
 */
export type CallerCheck = (sql: Sql) => Promise<unknown>

/**
 * Returns work that checks the caller once more. The check is sent together with the first statements of the work, so it
 * takes no round trip of its own, and it is a statement of its own: a statement that has to wait for a lock would still
 * see the credential as it was before the wait.
 *
 * @param check undefined for work that no caller requested
 */
export const checked =
  <T>(
    work: (tx: Transaction) => Promise<T>,
    check: CallerCheck | undefined,
  ): ((tx: Transaction) => Promise<T>) =>
  tx => {
    if (check) tx.send(() => check(tx))
    return work(tx)
  }
