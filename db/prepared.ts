import type { CompiledQuery } from 'kysely'
import type { Sql } from './orm.ts'

/** Stands for an argument while a query is compiled. */
class Slot {}

/**
 * A query that is built and compiled once, when it is first asked; later calls only fill in its arguments. For the
 * queries of every request: building one costs more CPU than sending it.
 *
 * @param build makes the query; it may use its arguments as values in it, and for nothing else
 */
export const prepared = <Args extends unknown[], Row>(
  build: (db: Sql, ...args: Args) => { compile(): CompiledQuery<Row> },
) => {
  const slots = Array.from({ length: build.length - 1 }, () => new Slot())
  let compiled: CompiledQuery<Row> | undefined
  return async (db: Sql, ...args: Args): Promise<Row | undefined> => {
    compiled ??= build(db, ...(slots as unknown[] as Args)).compile()
    const parameters = compiled.parameters.map(value =>
      value instanceof Slot ? args[slots.indexOf(value)] : value,
    )
    const { rows } = await db.executeQuery<Row>({ ...compiled, parameters })
    return rows[0]
  }
}
