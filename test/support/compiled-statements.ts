import { fileURLToPath } from 'node:url'
import { type CompiledQuery, PostgresQueryCompiler } from 'kysely'

/** A statement that the service compiled. */
export interface CompiledStatement {
  text: string
  parameters: readonly unknown[]
  /** The function that compiled it, as a line of a stack trace. */
  source: string
}

type Compile = (this: unknown, ...args: unknown[]) => CompiledQuery

const PROJECT = fileURLToPath(new URL('../../', import.meta.url))
const OWN = import.meta.filename

/** Between the query builder and the function that calls it, there are fewer frames than this. */
const STACK_DEPTH = 40

/** The innermost line of the current stack that is neither in a package nor in this file. */
const callerOf = (): string | undefined => {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = STACK_DEPTH
  const { stack } = new Error('stack')
  Error.stackTraceLimit = limit
  return stack
    ?.split('\n')
    .find(line => line.includes(PROJECT) && !line.includes('node_modules') && !line.includes(OWN))
    ?.trim()
}

/** The prototype that all query compilers of this process share. */
const compiler = Object.getPrototypeOf(PostgresQueryCompiler.prototype) as object

/**
 * Records the statements that the service compiles from now on, each once. Statements that the tests themselves
 * compile are not recorded. Prepared queries are compiled once in a process, so later callers do not cause a record.
 *
 * @returns a function that returns the statements since its last call
 */
export const recordCompiled = (): (() => CompiledStatement[]) => {
  const known = new Set<string>()
  const found: CompiledStatement[] = []
  const original = Reflect.get(compiler, 'compileQuery') as Compile
  Reflect.set(compiler, 'compileQuery', function (this: unknown, ...args: unknown[]) {
    const compiled = original.apply(this, args)
    if (known.has(compiled.sql)) return compiled
    const source = callerOf()
    if (source !== undefined && !source.includes(`${PROJECT}test/`)) {
      known.add(compiled.sql)
      found.push({ text: compiled.sql, parameters: compiled.parameters, source })
    }
    return compiled
  })
  return () => found.splice(0)
}
