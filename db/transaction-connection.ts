import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely'
import type { PoolClient, QueryConfig, QueryResultRow } from 'pg'
import { sendTogether } from './cork.ts'
import { NamedQuery } from './named-query.ts'
import type { Sql } from './orm.ts'
import { setStatementRunner } from './statements.ts'

const byClient = new WeakMap<PoolClient, TransactionConnection>()
const bySql = new WeakMap<Sql, TransactionConnection>()

/**
 * A pipelined connection of the pool during a transaction. Statements sent in one turn of the event loop take one
 * round trip.
 */
export class TransactionConnection {
  /** The query builder on this connection. */
  readonly sql: Sql
  readonly #client: PoolClient
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

  private constructor(client: PoolClient, namesStatements: boolean) {
    this.#client = client
    this.sql = new Kysely({
      dialect: {
        createAdapter: () => new PostgresAdapter(),
        createDriver: () => new ConnectionDriver(client, this.#blame),
        createIntrospector: db => new PostgresIntrospector(db),
        createQueryCompiler: () => new PostgresQueryCompiler(),
      },
    })
    const run = <Row extends QueryResultRow>(name: string, text: string, values: unknown[]) => {
      this.#sent += 1
      sendTogether(client, 'turn')
      const query = namesStatements ? new NamedQuery<Row>({ name, text, values }) : { text, values }
      const rows = rowsOf<Row>(client, query)
      this.#last = rows
      return rows.catch(this.#blame)
    }
    setStatementRunner(this.sql, run)
    bySql.set(this.sql, this)
  }

  /**
   * Returns a client's connection. Cached, because creating a query builder takes as long as running a query.
   *
   * @param namesStatements whether repeated statements are prepared under a name
   */
  static on(client: PoolClient, namesStatements: boolean): TransactionConnection {
    const existing = byClient.get(client)
    if (existing) return existing
    const connection = new TransactionConnection(client, namesStatements)
    byClient.set(client, connection)
    return connection
  }

  /** Returns the connection of a transaction's `sql`. */
  static of(sql: Sql): TransactionConnection {
    const connection = bySql.get(sql)
    if (!connection) throw new Error('This sql does not belong to a transaction')
    return connection
  }

  /**
   * Sends a command such as `commit` at once. A caller that does not await the command still notices when it
   * fails, because the statements after it fail too.
   *
   * @returns the command that the server ran: `ROLLBACK` for the `commit` of a failed transaction
   */
  async command(text: string): Promise<string> {
    sendTogether(this.#client, 'turn')
    this.#failure = undefined
    return (await this.#client.query(text)).command
  }

  /** Sends a statement without waiting for its result; see {@link sendLast} and {@link sendFirst}. */
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

const rowsOf = <Row extends QueryResultRow>(
  client: PoolClient,
  query: NamedQuery<Row> | QueryConfig,
): Promise<Row[]> =>
  new Promise((resolve, reject) => {
    client.query<Row>(query, (error: Error | null, result) => {
      if (error) reject(error)
      else resolve(result.rows)
    })
  })

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
export const sendLast = (sql: Sql, send: () => Promise<unknown>): void =>
  TransactionConnection.of(sql).send(send)

/**
 * Like {@link sendLast}, for a statement whose result is needed after the commit. The result is in an object, because a
 * function that returned it directly would wait for it before the commit.
 */
export const sendLastOf = <T>(sql: Sql, send: () => Promise<T>): { result: Promise<T> } => {
  let result: Promise<T>
  sendLast(sql, () => {
    result = send()
    return result
  })
  return { result: result! }
}

/**
 * Sends a statement without waiting for its result, so that it takes one round trip together with the statements that
 * follow it. If the statement fails, these fail too, and the transaction is rolled back and rejects with the error of
 * the statement.
 *
 * @param send calls a prepared query, which sends its statement at once
 */
export const sendFirst: typeof sendLast = sendLast

/**
 * Runs every query on one connection. The code that took the connection from the pool begins and ends the transaction.
 */
class ConnectionDriver implements Driver {
  readonly #connection: DatabaseConnection

  /** @param blame throws the error to report for a failed query */
  constructor(client: PoolClient, blame: (error: unknown) => never) {
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
