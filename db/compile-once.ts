import { createHash } from 'node:crypto'
import type { CompiledQuery } from 'kysely'
import type { Sql } from './database.ts'

type Build<Args extends unknown[], Row> = (db: Sql, ...args: Args) => { compile(): CompiledQuery<Row> }

/**
 * Returns a function that runs a query. The first call builds and compiles the query; later calls only fill in the
 * arguments. Use it for queries that run on every request, because building a query takes more CPU time than sending
 * it. The query is a named statement. Inside a transaction, it runs on the transaction's connection. Outside a
 * transaction, it runs on a connection that all reads share (`read-lane.ts`), and must not write.
 *
 * @param build builds the query. The query is compiled with placeholders for the arguments, so `build` can use
 * the arguments only as values
 * @param options `isShared`: whether concurrent calls with the same arguments share one result, which the callers must
 * not change; ignored in transactions. `count`: the number of arguments after `db`, if `build` has rest parameters
 * @returns a function that resolves to all rows
 */
export const compileOnceRows = <Args extends unknown[], Row>(
  build: Build<Args, Row>,
  { isShared = false, count = build.length - 1 }: { isShared?: boolean; count?: number } = {},
) => {
  // Placeholders for the arguments while the query is compiled.
  const placeholders: unknown[] = Array.from({ length: count }, (_, argument) => ({ argument }))
  let prepared: { compiled: CompiledQuery<Row>; name: string; slots: number[] } | undefined

  const prepare = (db: Sql) => {
    const compiled = build(db, ...(placeholders as Args)).compile()
    return {
      compiled,
      name: createHash('sha256').update(compiled.sql).digest('base64url').slice(0, 22),
      slots: compiled.parameters.map(value => placeholders.indexOf(value)),
    }
  }

  return (db: Sql, ...args: Args): Promise<Row[]> => {
    prepared ??= prepare(db)
    const { compiled, name, slots } = prepared
    const parameters = slots.map((slot, index) => (slot === -1 ? compiled.parameters[index] : args[slot]))
    return db.run(name, compiled.sql, parameters, isShared) as Promise<Row[]>
  }
}

/**
 * Like {@link compileOnceRows}, for a query with named parameters.
 *
 * @param build receives a placeholder for each parameter that it reads from its second argument
 */
export const preparedRows = <Params, Row>(
  build: (db: Sql, params: Params) => { compile(): CompiledQuery<Row> },
) => {
  let run: ((db: Sql, ...args: unknown[]) => Promise<Row[]>) | undefined
  let names: (keyof Params)[] = []
  const prepare = (db: Sql) => {
    const found = new Set<string | symbol>()
    const get = (_: unknown, name: string | symbol) => {
      found.add(name)
      return { name }
    }
    build(db, new Proxy({}, { get }) as Params).compile()
    names = [...found] as (keyof Params)[]
    return compileOnceRows<unknown[], Row>(
      (sql, ...args) => build(sql, Object.fromEntries(names.map((name, n) => [name, args[n]])) as Params),
      { count: names.length },
    )
  }
  return (db: Sql, params: Params): Promise<Row[]> => {
    run ??= prepare(db)
    return run(db, ...names.map(name => params[name]))
  }
}

/** Like {@link compileOnceRows}, for queries that find at most one row. */
export const compileOnce = <Args extends unknown[], Row>(
  build: Build<Args, Row>,
  options?: { isShared?: boolean },
) => {
  const rowsOf = compileOnceRows(build, options)
  return async (db: Sql, ...args: Args): Promise<Row | undefined> => (await rowsOf(db, ...args))[0]
}
