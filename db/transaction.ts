import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool, PoolClient } from 'pg'
import { sqlOn } from './connection-sql.ts'
import { type Orm, poolOf, type Sql } from './orm.ts'

/** PostgreSQL's codes for a transaction that it cancelled to resolve a deadlock or a serialization failure. */
const RETRYABLE = new Set<unknown>(['40P01', '40001'])

const MAX_ATTEMPTS = 5

/** Maximum pause in ms before the second attempt. The maximum doubles with each further attempt. */
const MAX_FIRST_PAUSE = 20

/**
 * Runs a transaction: commits when `work` resolves, rolls back when it rejects. It retries what PostgreSQL cancelled,
 * so use it for every transaction, and for every single statement that can deadlock: one that deletes with a cascade,
 * updates many rows, or updates a unique column.
 *
 * @param work may run more than once, so it must change nothing but the database, and only through the `sql` it
 *   receives. A query on another connection could wait forever for a lock or a connection that this transaction holds.
 * @throws what `work` throws, or the database's error after the last attempt
 */
export const inTransaction = async <T>(orm: Orm, work: (sql: Sql) => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt++)
    try {
      return await attemptTransaction(poolOf(orm), work)
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !isRetryable(error)) throw error
      await sleep(Math.random() * MAX_FIRST_PAUSE * 2 ** (attempt - 1))
    }
}

const attemptTransaction = async <T>(pool: Pool, work: (sql: Sql) => Promise<T>): Promise<T> => {
  const client = await pool.connect()
  try {
    // Sent together with the first statement: the connection is pipelined.
    const begun = client.query('begin')
    begun.catch(() => {})
    const result = await work(sqlOn(client))
    await begun
    await client.query('commit')
    client.release()
    return result
  } catch (error) {
    await giveBack(client)
    throw error
  }
}

/** Rolls back and returns the connection to the pool, or closes it when it is broken. */
const giveBack = async (client: PoolClient): Promise<void> => {
  try {
    await client.query('rollback')
    client.release()
  } catch (error) {
    client.release(error instanceof Error ? error : true)
  }
}

const isRetryable = (error: unknown) => error instanceof Error && 'code' in error && RETRYABLE.has(error.code)
