import type { CompiledQuery } from 'kysely'
import type { Sql } from './orm.ts'

/**
 * A query that is built and compiled once, when it is first asked; later calls only fill in its arguments. For the
 * queries of every request: building one costs more CPU than sending it.
 *
 * @param build makes the query; it may use its arguments as values in it, and for nothing else
 */
export const prepared = <Args extends unknown[], Row>(
  build: (db: Sql, ...args: Args) => { compile(): CompiledQuery<Row> },
) => {
  // Objects that stand for the arguments while the query is compiled.
  const slots: unknown[] = Array.from({ length: build.length - 1 }, (_, argument) => ({ argument }))
  let compiled: CompiledQuery<Row> | undefined
  return async (db: Sql, ...args: Args): Promise<Row | undefined> => {
    compiled ??= build(db, ...(slots as Args)).compile()
    const parameters = compiled.parameters.map(value => {
      const argument = slots.indexOf(value)
      return argument === -1 ? value : args[argument]
    })
    const { rows } = await db.executeQuery<Row>({ ...compiled, parameters })
    return rows[0]
  }
}
