import { setTimeout as sleep } from 'node:timers/promises'
import { type Orm, type Sql, sqlOf } from './orm.ts'

/** PostgreSQL's codes for a transaction that it cancelled to resolve a deadlock or a serialization failure. */
const RETRYABLE = new Set<unknown>(['40P01', '40001'])

const MAX_ATTEMPTS = 5

/** Milliseconds of the longest pause before the second attempt; each later one may be twice as long. */
const MAX_FIRST_PAUSE = 20

/**
 * Runs a transaction: commits when `work` resolves, rolls back when it rejects. Every transaction and every statement
 * that can deadlock (it deletes with a cascade, updates many rows or a unique column) goes through here, because this
 * retries what PostgreSQL cancelled.
 *
 * @param work may run more than once: it changes nothing but the database, through the `sql` it receives. A query on
 *   another connection could wait forever for a lock or a connection that this transaction holds.
 * @throws what `work` throws, or the database's error after the last attempt
 */
export const inTransaction = async <T>(orm: Orm, work: (sql: Sql) => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt++)
    try {
      // Not the ORM's own: that never gives back a connection that broke in the middle.
      return await sqlOf(orm).transaction().execute(work)
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !isRetryable(error)) throw error
      await sleep(Math.random() * MAX_FIRST_PAUSE * 2 ** (attempt - 1))
    }
}

const isRetryable = (error: unknown) => error instanceof Error && 'code' in error && RETRYABLE.has(error.code)
