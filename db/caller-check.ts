import type { Sql } from './orm.ts'

/**
 * Sends a statement that fails if the caller may no longer do what the transaction does: because the credential, the
 * session or the participation has ended since the request began, or the account was suspended. The statement's failure
 * also makes the transaction fail.
 */
export type CallerCheck = (sql: Sql) => Promise<unknown>
