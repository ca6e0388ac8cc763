import type { QueryResultRow } from 'pg'
import type { Sql } from './orm.ts'

/** Runs a named statement: the server parses and plans it once for each connection. */
export type RunStatement = <Row extends QueryResultRow>(
  name: string,
  text: string,
  values: unknown[],
) => Promise<Row[]>

const runners = new WeakMap<Sql, RunStatement>()

/** Sends the prepared queries that are run with this `Sql` another way than through the query builder. */
export const setStatementRunner = (db: Sql, run: RunStatement): void => void runners.set(db, run)

/** Undefined where prepared queries go through the query builder like all others. */
export const statementRunnerOf = (db: Sql): RunStatement | undefined => runners.get(db)
