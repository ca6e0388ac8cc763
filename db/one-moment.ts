import { sql } from 'kysely'
import type { Orm } from './orm.ts'
import { inTransaction, type Transaction } from './transaction.ts'

/**
 * Runs queries that all see the same snapshot of the database, so that concurrent writes do not affect them.
 *
 * @param work see {@link inTransaction}; it can only read
 */
export const atOneMoment = <T>(orm: Orm, work: (tx: Transaction) => Promise<T>): Promise<T> =>
  inTransaction(orm, async db => {
    await sql`set transaction isolation level repeatable read, read only`.execute(db)
    return work(db)
  })
