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
import type { PoolClient } from 'pg'
import type { Sql } from './orm.ts'
import { setStatementRunner } from './statements.ts'

const known = new WeakMap<PoolClient, Sql>()

/** Returns the query builder of a connection. Cached, because creating a builder takes as long as running a query. */
export const sqlOn = (client: PoolClient): Sql => {
  const existing = known.get(client)
  if (existing) return existing
  const sql: Sql = new Kysely({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new ConnectionDriver(client),
      createIntrospector: db => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  })
  setStatementRunner(sql, async (name, text, values) => (await client.query({ name, text, values })).rows)
  known.set(client, sql)
  return sql
}

/**
 * Runs every query on one connection. The code that took the connection from the pool begins and ends the transaction.
 */
class ConnectionDriver implements Driver {
  readonly #connection: DatabaseConnection

  constructor(client: PoolClient) {
    this.#connection = {
      executeQuery: async <Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> => {
        const { rows, rowCount } = await client.query(sql, [...parameters])
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
