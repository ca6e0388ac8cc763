import type { CompiledQuery } from 'kysely'
import type { Sql } from './orm.ts'

/**
 * Returns a function that runs a query built and compiled on its first call; later calls only fill in the arguments.
 * For queries that run on every request: building one costs more CPU than sending it.
 *
 * @param build builds the query; may use its arguments only as values in the query
 */
export const compileOnce = <Args extends unknown[], Row>(
  build: (db: Sql, ...args: Args) => { compile(): CompiledQuery<Row> },
) => {
  // Placeholders for the arguments while the query is compiled.
  const placeholders: unknown[] = Array.from({ length: build.length - 1 }, (_, argument) => ({ argument }))
  let compiled: CompiledQuery<Row> | undefined
  return async (db: Sql, ...args: Args): Promise<Row | undefined> => {
    compiled ??= build(db, ...(placeholders as Args)).compile()
    const parameters = compiled.parameters.map(value => {
      const argument = placeholders.indexOf(value)
      return argument === -1 ? value : args[argument]
    })
    const { rows } = await db.executeQuery<Row>({ ...compiled, parameters })
    return rows[0]
  }
}
