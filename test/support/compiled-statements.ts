import { fileURLToPath } from 'node:url'
import { type CompiledQuery, PostgresQueryCompiler } from 'kysely'

/** A statement that the service compiled. */
export interface CompiledStatement {
  text: string
  parameters: readonly unknown[]
  /** The line of a stack trace with the function that compiled the statement or called the prepared query. */
  source: string
}

type Compile = (this: unknown, ...args: unknown[]) => CompiledQuery

const PROJECT = fileURLToPath(new URL('../../', import.meta.url))
const OWN = import.meta.filename

/** Maximum number of frames in a stack trace; more than there are between the query builder and its caller. */
const STACK_DEPTH = 40

/** The lines of the current stack that are neither in a package nor in this file, innermost first. */
const callers = (): string[] => {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = STACK_DEPTH
  const { stack = '' } = new Error('stack')
  Error.stackTraceLimit = limit
  return stack
    .split('\n')
    .filter(line => line.includes(PROJECT) && !line.includes('node_modules') && !line.includes(OWN))
}

/** The prototype that all query compilers of this process share. */
const compiler = Object.getPrototypeOf(PostgresQueryCompiler.prototype) as object

/**
 * Records the statements that the service compiles from now on, each once. Statements that the tests themselves
 * compile are not recorded. Prepared queries are compiled once per process, so only their first call is recorded.
 *
 * @returns a function that returns the statements recorded since its last call
 */
export const recordCompiled = (): (() => CompiledStatement[]) => {
  const known = new Set<string>()
  const found: CompiledStatement[] = []
  const original = Reflect.get(compiler, 'compileQuery') as Compile
  Reflect.set(compiler, 'compileQuery', function (this: unknown, ...args: unknown[]) {
    const compiled = original.apply(this, args)
    if (known.has(compiled.sql)) return compiled
    const stack = callers()
    const [caller] = stack
    if (caller !== undefined && !caller.includes(`${PROJECT}test/`)) {
      known.add(compiled.sql)
      const source = stack.find(line => !line.includes('/compile-once.ts')) ?? caller
      found.push({ text: compiled.sql, parameters: compiled.parameters, source: source.trim() })
    }
    return compiled
  })
  return () => found.splice(0)
}
