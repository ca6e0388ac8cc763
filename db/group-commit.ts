import type { Orm, Sql } from './orm.ts'
import type { Member } from './queue.ts'
import { inTransaction, isRetryable } from './transaction.ts'
import { TransactionConnection } from './transaction-connection.ts'

/**
 * Maximum number of writes in a transaction, and the time in ms after the lock during which it accepts further
 * writes.
 */
const MAX_WRITES = 32
const MAX_DURATION = 500

type Work<T> = (sql: Sql) => Promise<T>

/**
 * Runs a write and the writes that wait behind it in one transaction. A write that fails is undone and rejects
 * alone. No write is confirmed before the commit. If the transaction itself fails, all of its writes fail.
 *
 * @param own the write whose turn it is
 * @param take returns the next waiting write
 * @param lock locks the row; called first in the transaction
 */
export const commitTogether = async <T>(
  orm: Orm,
  own: Work<T>,
  take: () => Member | undefined,
  lock: (sql: Sql) => Promise<void>,
): Promise<T> => {
  const members: Member[] = []
  let deadline = Number.POSITIVE_INFINITY
  const next = (index: number): Member | undefined => {
    if (index < members.length) return members[index]
    if (index + 1 >= MAX_WRITES || performance.now() > deadline) return undefined
    const member = take()
    if (member) members.push(member)
    return member
  }

  /** Runs all members in one attempt of the transaction. Another attempt may follow, with the same members. */
  const runAll = async (sql: Sql): Promise<PromiseSettledResult<unknown>[]> => {
    // The statements of the first write are sent together with the lock and run after it.
    const locked = lock(sql)
    locked.catch(() => {})
    const isAlone = next(0) === undefined
    const first = isAlone ? await runAlone(sql, own, locked) : await runNext(sql, own, locked)
    await locked
    // Writes that arrived in between wait for the next transaction: if the first one fails, so does this one.
    if (isAlone) return [first]
    deadline = performance.now() + MAX_DURATION
    const outcomes: PromiseSettledResult<unknown>[] = [first]
    for (let index = 0; ; index += 1) {
      const member = next(index)
      if (!member) return outcomes
      outcomes.push(await runNext(sql, member.work as Work<unknown>, locked))
    }
  }

  try {
    const [first, ...others] = await inTransaction(orm, runAll)
    for (const [index, outcome] of others.entries()) members[index]!.settle(outcome)
    if (first!.status === 'rejected') throw first!.reason
    return first!.value as T
  } catch (error) {
    // Some may be settled already; settling them again has no effect.
    for (const member of members) member.settle({ status: 'rejected', reason: error })
    throw error
  }
}

/** Runs the first write, while it is alone in the transaction. If it fails, the transaction fails. */
const runAlone = async (
  sql: Sql,
  work: Work<unknown>,
  locked: Promise<void>,
): Promise<PromiseSettledResult<unknown>> => {
  try {
    return { status: 'fulfilled', value: await work(sql) }
  } catch (error) {
    // A missing row is the cause of the error, so report the missing row instead.
    await locked
    throw error
  }
}

/** Runs a further write. The transaction continues even if the write fails. */
const runNext = async (
  sql: Sql,
  work: Work<unknown>,
  locked: Promise<void>,
): Promise<PromiseSettledResult<unknown>> => {
  const connection = TransactionConnection.of(sql)
  // The savepoint is sent together with the first statement of the work.
  const saved = connection.command('savepoint write')
  saved.catch(() => {})
  try {
    const value = await work(sql)
    await connection.settle()
    connection.command('release savepoint write').catch(() => {})
    return { status: 'fulfilled', value }
  } catch (error) {
    await connection.settle().catch(() => {})
    await locked
    if (isRetryable(error)) throw error
    await connection.command('rollback to savepoint write')
    connection.command('release savepoint write').catch(() => {})
    return { status: 'rejected', reason: error }
  }
}
