import { type ControlledTransaction, Kysely, PostgresDialect, sql } from 'kysely'
import { Pool } from 'pg'
import { advisoryLocks } from './advisory-locks.ts'
import { clientConfig, type Database } from './database.ts'
import { isDatabaseTimeout } from './errors.ts'
import { BEFORE_VERSION_1, isBeforeVersion1 } from './migrations.ts'
import { OperatorError } from './operator-error.ts'

/** Timeout for connecting, in ms. */
const CONNECT_TIMEOUT = 5_000

/** How long startup retries its first queries if connecting times out, in ms. */
const FIRST_CONNECTION = 15_000

/**
 * Applies all pending migrations in one transaction. Safe to call from many processes at once: one migrates, the others
 * wait. The lock belongs to the transaction, so that it also works behind a connection pooler in transaction mode.
 *
 * @param beforeUpdate called before the migrations, unless the database is new
 * @returns the names of the migrations that this process has applied
 * @throws OperatorError if a version before 1.0.0 has made the database; the database's error when a statement fails. All
 *   migrations are rolled back.
 */
export const migrate = async (
  database: Database,
  beforeUpdate: () => Promise<void> = () => Promise.resolve(),
): Promise<string[]> => {
  const applied = await whenConnected(() => prepare(database))
  if (applied === 'all') return []
  if (applied > 0) await beforeUpdate()
  return onOwnConnection(database, async transaction => {
    // Remove the time limits: a migration can take long, and other processes wait for it.
    await sql`set local statement_timeout = 0`.execute(transaction)
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(transaction)
    await sql`select pg_advisory_xact_lock(${advisoryLocks.migration})`.execute(transaction)
    return (await database.orm.migrator.up({ transaction })).map(({ name }) => name)
  })
}

/**
 * Initializes the migrator. Returns how many migrations have been applied.
 *
 * @throws OperatorError if a version before 1.0.0 has made the database
 */
const prepare = async (database: Database): Promise<number | 'all'> => {
  // This check also creates the table of applied migrations if it is missing. If connecting fails, it counts every
  // migration as pending.
  if (await isMigrated(database)) return 'all'
  // Without this call, `up` would read the table of applied migrations outside our transaction.
  const applied = (await database.orm.migrator.getExecuted()).map(({ name }) => name)
  if (isBeforeVersion1(applied))
    throw new OperatorError(
      `A version before 1.0.0 has made this database, so this version cannot use it. Nothing was changed. ${BEFORE_VERSION_1}`,
    )
  return applied.length
}

/**
 * Runs the first queries at startup, and repeats them if connecting times out: a machine that is booting can be too
 * busy to connect within the timeout that requests use.
 *
 * @throws the database's error; a timeout only after `FIRST_CONNECTION`
 */
const whenConnected = async <T>(query: () => Promise<T>): Promise<T> => {
  const until = Date.now() + FIRST_CONNECTION
  for (;;) {
    try {
      return await query()
    } catch (error) {
      if (!isDatabaseTimeout(error) || Date.now() > until) throw error
    }
  }
}

/** Whether every migration has been applied. */
export const isMigrated = async (database: Database) => {
  // Without this statement, the ORM would try to create a missing database instead of reporting that it is missing.
  await sql`select 1`.execute(database)
  return (await database.orm.migrator.getPending()).length === 0
}

/** Runs a transaction on a separate connection, because the pool's connections have a timeout for statements. */
const onOwnConnection = async <T>(
  database: Database,
  work: (transaction: ControlledTransaction<unknown>) => Promise<T>,
): Promise<T> => {
  const pool = new Pool({
    ...clientConfig(database.location),
    max: 1,
    connectionTimeoutMillis: CONNECT_TIMEOUT,
  })
  // A connection that breaks while idle needs no handling: the next query reports it.
  pool.on('error', () => {})
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  try {
    const transaction = await db.startTransaction().execute()
    let result: T
    try {
      result = await work(transaction)
    } catch (error) {
      await transaction.rollback().execute()
      throw error
    }
    await transaction.commit().execute()
    return result
  } finally {
    await db.destroy()
  }
}
