import { setTimeout as sleep } from 'node:timers/promises'
import type { PoolClient } from 'pg'
import { type CallerCheck, checked } from './caller-check.ts'
import { isDistributed, markDistributed } from './distributed-content.ts'
import { namesStatements, type Orm, poolOf, type Sql } from './orm.ts'
import { TransactionConnection } from './transaction-connection.ts'

/** PostgreSQL's codes for a transaction that it cancelled to resolve a deadlock or a serialization failure. */
const RETRYABLE = new Set<unknown>(['40P01', '40001'])

const MAX_ATTEMPTS = 5

/** Time in ms after which the server cancels a statement, or ends a transaction that sends no further statement. */
const TIMEOUT = 15_000

/**
 * Begins a transaction with its timeouts. The timeouts are set here and not for the session, because behind a
 * connection pooler in transaction mode, other callers use the same session.
 */
const BEGIN = [
  'begin',
  `set local statement_timeout = ${TIMEOUT}`,
  `set local idle_in_transaction_session_timeout = ${TIMEOUT}`,
].join(';')

/** Maximum pause in ms before the second attempt. The maximum doubles with each further attempt. */
const MAX_FIRST_PAUSE = 20

/**
 * Runs a transaction: commits when `work` resolves, rolls back when it rejects. Retries a transaction that PostgreSQL
 * cancelled. Use it for every transaction. Also use it for a statement on its own that can deadlock because it deletes
 * with a cascade, updates many rows, or updates a unique column.
 *
 * @param work may run more than once, so it must have no effects outside the database, and must use only the `sql` it
 * receives. A query on another connection could wait forever for a lock or a connection that this transaction holds.
 * @param check checks once more that the caller may do this; absent if no caller requested it
 * @throws what `work` throws, or the database's error after the last attempt
 */
export const inTransaction = async <T>(
  orm: Orm,
  work: (sql: Sql) => Promise<T>,
  check?: CallerCheck,
): Promise<T> => {
  for (let attempt = 1; ; attempt++)
    try {
      return await attemptTransaction(orm, checked(work, check))
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !isRetryable(error)) throw error
      await sleep(Math.random() * MAX_FIRST_PAUSE * 2 ** (attempt - 1))
    }
}

const attemptTransaction = async <T>(orm: Orm, work: (sql: Sql) => Promise<T>): Promise<T> => {
  const client = await poolOf(orm).connect()
  const connection = TransactionConnection.on(client, namesStatements(orm))
  if (isDistributed(orm)) markDistributed(connection.sql)
  let ended: Promise<string> | undefined
  try {
    // The command is sent together with the first statement of `work`.
    const begun = connection.command(BEGIN)
    begun.catch(() => {})
    const result = await work(connection.sql)
    // The commit is sent together with the last statements. If one of them failed, the server rolls back instead.
    ended = connection.command('commit')
    ended.catch(() => {})
    await begun
    await connection.settle()
    if ((await ended) !== 'COMMIT') throw new Error('A statement failed, but its error was not thrown')
    client.release()
    return result
  } catch (error) {
    await connection.settle().catch(() => {})
    await giveBack(client, ended ?? connection.command('rollback'))
    throw error
  }
}

/** Returns the connection to the pool when its transaction has ended, or closes it when it is broken. */
const giveBack = async (client: PoolClient, ended: Promise<string>): Promise<void> => {
  try {
    await ended
    client.release()
  } catch (error) {
    client.release(error instanceof Error ? error : true)
  }
}

/** Whether PostgreSQL cancelled a transaction because of concurrent ones, so that a retry can succeed. */
export const isRetryable = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && RETRYABLE.has(error.code)
