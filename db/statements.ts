import type { QueryResultRow } from 'pg'
import type { Sql } from './orm.ts'

/**
 * Runs a named statement: the server parses and plans it once for each connection. If the statement is shared,
 * concurrent calls with the same values share one execution and get the same row objects.
 */
export type RunStatement = <Row extends QueryResultRow>(
  name: string,
  text: string,
  values: unknown[],
  isShared: boolean,
) => Promise<Row[]>

const runners = new WeakMap<Sql, RunStatement>()

/** Sets the function that runs the prepared queries of this `Sql`, in place of the query builder. */
export const setStatementRunner = (db: Sql, run: RunStatement): void => void runners.set(db, run)

/** Returns the function that runs the prepared queries of this `Sql`; undefined if the query builder runs them. */
export const statementRunnerOf = (db: Sql): RunStatement | undefined => runners.get(db)
