import { setTimeout as sleep } from 'node:timers/promises'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  sql,
} from 'kysely'
import type { PoolClient, QueryResultRow } from 'pg'
import type { PipelinedClient } from './client.ts'
import { type Database, Sql } from './database.ts'

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
 * @param work may run more than once, so it must have no effects outside the database, and must use only the
 * transaction it receives. A query on another connection could wait forever for a lock or a connection that this transaction holds.
 * @param check checks once more that the caller may do this; absent if no caller requested it
 * @throws what `work` throws, or the database's error after the last attempt
 */
export const inTransaction = async <T>(
  database: Database,
  work: (tx: Transaction) => Promise<T>,
  check?: CallerCheck,
): Promise<T> => {
  for (let attempt = 1; ; attempt++)
    try {
      return await attemptTransaction(database, checked(work, check))
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !isRetryable(error)) throw error
      await sleep(Math.random() * MAX_FIRST_PAUSE * 2 ** (attempt - 1))
    }
}

const attemptTransaction = async <T>(
  database: Database,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> => {
  const client = await database.pool.connect()
  const tx = Transaction.on(database, client as PoolClient & PipelinedClient)
  let ended: Promise<string> | undefined
  try {
    // The command is sent together with the first statement of `work`.
    const begun = tx.command(BEGIN)
    begun.catch(() => {})
    const result = await work(tx)
    // The commit is sent together with the last statements. If one of them failed, the server rolls back instead.
    ended = tx.command('commit')
    ended.catch(() => {})
    await begun
    await tx.settle()
    if ((await ended) !== 'COMMIT') throw new Error('A statement failed, but its error was not thrown')
    client.release()
    return result
  } catch (error) {
    await tx.settle().catch(() => {})
    await giveBack(client, ended ?? tx.command('rollback'))
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

/**
 * A transaction, or several one after the other on the same connection. Statements sent in one turn of the event loop
 * take one round trip.
 */
export class Transaction extends Sql {
  readonly #database: Database
  readonly #client: PipelinedClient
  #sent = 0
  /** The statement sent last. Responses arrive in order, so it is the last one to settle. */
  #last: Promise<unknown> = Promise.resolve()
  #unawaited: Promise<unknown>[] = []
  /** The error that made the server refuse further statements. */
  #failure: unknown

  /**
   * Throws the error of the first statement that failed. Statements that were sent together with it then fail
   * too, and their errors can reach the caller first.
   */
  readonly #blame = (error: unknown): never => {
    if (!isConsequence(error)) this.#failure ??= error
    throw this.#failure ?? error
  }

  private constructor(database: Database, client: PipelinedClient) {
    super({
      dialect: {
        createAdapter: () => new PostgresAdapter(),
        createDriver: () => new ConnectionDriver(client, error => this.#blame(error)),
        createIntrospector: db => new PostgresIntrospector(db),
        createQueryCompiler: () => new PostgresQueryCompiler(),
      },
    })
    this.#database = database
    this.#client = client
  }

  /** Returns the transactions of a client. Kept, because creating a query builder takes as long as running a query. */
  static on(database: Database, client: PipelinedClient & { transaction?: Transaction }): Transaction {
    client.transaction ??= new Transaction(database, client)
    return client.transaction
  }

  override get isDistributed(): boolean {
    return this.#database.isDistributed
  }

  override run<Row extends QueryResultRow>(name: string, text: string, values: unknown[]): Promise<Row[]> {
    this.#sent += 1
    this.#client.sendTogether('turn')
    const rows = this.#client.run<Row>(name, text, values)
    this.#last = rows
    return rows.catch(this.#blame)
  }

  /**
   * Sends a command such as `commit` at once. A caller that does not await the command still notices when it
   * fails, because the statements after it fail too.
   *
   * @returns the command that the server ran: `ROLLBACK` for the `commit` of a failed transaction
   */
  async command(text: string): Promise<string> {
    this.#client.sendTogether('turn')
    this.#failure = undefined
    return (await this.#client.query(text)).command
  }

  /** Sends a statement without waiting for its result; see {@link sendLast}. */
  send(send: () => Promise<unknown>): void {
    const before = this.#sent
    const statement = send()
    if (this.#sent === before) throw new Error('Only a prepared query can be sent at once')
    statement.catch(() => {})
    this.#unawaited.push(statement)
  }

  /**
   * Waits until the server has responded to all statements, whether they succeeded or not. Call it after a
   * failed statement, before sending further ones. After a failure, the server prepares no statements. But the
   * driver sends the text of a named statement only once, and then assumes that the server has prepared it.
   */
  async responded(): Promise<void> {
    await Promise.allSettled([this.#last])
  }

  /**
   * Waits for the results of statements sent by `send`.
   *
   * @throws the error of the first statement that failed
   */
  async settle(): Promise<void> {
    await Promise.all(this.#unawaited.splice(0))
  }
}

/** Whether a statement failed only because an earlier statement in the same transaction had failed. */
const isConsequence = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '25P02'

/**
 * Sends the last statement of a transaction's work without waiting for its result, so that the statement and the commit
 * take one round trip together. If the statement fails, the transaction is rolled back and rejects with the error of
 * the statement.
 *
 * @param send calls a prepared query, which sends its statement at once
 */
export const sendLast = (tx: Transaction, send: () => Promise<unknown>): void => tx.send(send)

/**
 * Like {@link sendLast}, for a statement whose result is needed after the commit. The result is in an object, because a
 * function that returned it directly would wait for it before the commit.
 */
export const sendLastOf = <T>(tx: Transaction, send: () => Promise<T>): { result: Promise<T> } => {
  let result: Promise<T>
  sendLast(tx, () => {
    result = send()
    return result
  })
  return { result: result! }
}

/**
 * Runs every query on one connection. The code that took the connection from the pool begins and ends the transaction.
 */
class ConnectionDriver implements Driver {
  readonly #connection: DatabaseConnection

  /** @param blame throws the error to report for a failed query */
  constructor(client: PipelinedClient, blame: (error: unknown) => never) {
    this.#connection = {
      executeQuery: async <Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> => {
        const { rows, rowCount } = await client.query(sql, [...parameters]).catch(blame)
        return { rows: rows as Row[], numAffectedRows: BigInt(rowCount ?? 0) }
      },
      streamQuery: () => {
        throw new Error('A shared connection cannot stream')
      },
    }
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection
  }

  async init(): Promise<void> {}
  async releaseConnection(): Promise<void> {}
  async beginTransaction(): Promise<void> {}
  async commitTransaction(): Promise<void> {}
  async rollbackTransaction(): Promise<void> {}
  async destroy(): Promise<void> {}
}

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

/**
 * Sends a statement that fails if the caller may no longer do what the transaction does: because the credential, the
 * session or the participation has ended since the request began, or the account was suspended; or, for the claim of a
 * call with an `Idempotency-Key`, because the same call is being answered or has been. The statement's failure also makes
 * the transaction fail.
 */
export type CallerCheck = (sql: Sql) => Promise<unknown>

/**
 * Runs queries that all see the same snapshot of the database, so that concurrent writes do not affect them.
 *
 * @param work see {@link inTransaction}; it can only read
 */
export const atOneMoment = <T>(database: Database, work: (tx: Transaction) => Promise<T>): Promise<T> =>
  inTransaction(database, async db => {
    await sql`set transaction isolation level repeatable read, read only`.execute(db)
    return work(db)
  })
