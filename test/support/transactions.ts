import { sql } from 'kysely'
import { vi } from 'vitest'
import type { Sql } from '../../db/database.ts'
import { inTransaction, type Transaction } from '../../db/transaction.ts'
import type { TestService } from './test-service.ts'

/** Begins a transaction in which `work` locks rows. The locks are held until `commit` or `rollback`. */
export const holdLocks = async (service: TestService, work: (tx: Transaction) => Promise<unknown>) => {
  const locked = Promise.withResolvers<Transaction>()
  const ended = Promise.withResolvers<void>()
  const done = inTransaction(service.core.database, async tx => {
    // A test can hold its locks for longer than a request may.
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx)
    await work(tx)
    locked.resolve(tx)
    await ended.promise
  })
  done.catch(locked.reject)
  const tx = await locked.promise
  return {
    /** Runs further statements in the transaction. */
    run: <T>(more: (tx: Transaction) => Promise<T>) => more(tx),
    commit: () => {
      ended.resolve()
      return done
    },
    rollback: async () => {
      ended.reject(new Error('rolled back'))
      await done.catch(() => {})
    },
  }
}

/**
 * Locks the row of a space, as writes to the space do. Looks up the id of the space first, because Citus refuses a
 * statement that locks rows unless the statement names one space.
 */
export const lockSpace = async (
  db: Sql,
  subdomain: string,
  strength: 'forUpdate' | 'forNoKeyUpdate' | 'forKeyShare' = 'forUpdate',
) => {
  const { id } = await db
    .selectFrom('space_names')
    .where('subdomain', '=', subdomain)
    .select('id')
    .executeTakeFirstOrThrow()
  return db.selectFrom('spaces').where('id', '=', id).select('id')[strength]().execute()
}

/**
 * Like {@link concurrently}, with a lock on a space.
 *
 * @param isReady resolves when the lock may be released
 */
export const concurrentlyInSpace = <T>(
  service: TestService,
  subdomain: string,
  calls: (() => Promise<T>)[],
  isReady?: () => Promise<unknown>,
): Promise<T[]> => concurrently(service, calls, db => lockSpace(db, subdomain), isReady)

/** Like {@link concurrently}, with a lock on an account. */
export const concurrentlyAs = <T>(
  service: TestService,
  handle: string,
  calls: (() => Promise<T>)[],
): Promise<T[]> =>
  concurrently(service, calls, db =>
    db.selectFrom('accounts').where('handle', '=', handle).select('id').forUpdate().execute(),
  )

/**
 * Makes calls run concurrently. Takes a lock that the calls need, starts all calls, and then releases the lock. While
 * the lock is held, no call can finish. The lock is held at least until one of the calls waits for the lock.
 *
 * @param isReady resolves when the lock may be released
 */
export const concurrently = async <T>(
  service: TestService,
  calls: (() => Promise<T>)[],
  lock: (db: Sql) => Promise<unknown>,
  isReady?: () => Promise<unknown>,
) => {
  const held = await holdLocks(service, lock)
  const responses = Promise.all(calls.map(call => call()))
  try {
    // Wait until one call is blocked in the database. The other calls wait for that call in this process.
    await waitForBlocked(service, 1)
    await isReady?.()
  } finally {
    await held.commit()
  }
  return responses
}

const waitingHere = sql<{ waiting: number }>`
  select count(*)::int as waiting from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock'`

/** Adds up the counts of all servers of a Citus cluster. */
const waitingOnAllServers = sql<{ waiting: number }>`
  select sum(result::int)::int as waiting from run_command_on_all_nodes($$
    select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'$$)`

/** Resolves once at least `count` statements of any connection wait for a lock. */
export const waitForBlocked = (service: TestService, count: number): Promise<void> =>
  vi.waitFor(
    async () => {
      const { database } = service.core
      const { rows } = await (database.isDistributed ? waitingOnAllServers : waitingHere).execute(database)
      const { waiting } = rows[0]!
      if (waiting < count) throw new Error(`${waiting} of ${count} statements are waiting`)
    },
    { timeout: 60_000, interval: 20 },
  )
