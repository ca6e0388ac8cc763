/**
 * Checks, after each test file, the statements that the service compiled. Fails if Citus could not send one of
 * them to a single server (see `routing.ts`), unless `unrouted.ts` allows that statement.
 */
import { afterAll } from 'vitest'
import { recordCompiled } from './compiled-statements.ts'
import { unexpectedFaults } from './unrouted.ts'

/** The test files of a worker share one recorder under this symbol. */
const RECORDER = Symbol.for('compiled statements')
const shared = globalThis as { [RECORDER]?: ReturnType<typeof recordCompiled> }
shared[RECORDER] ??= recordCompiled()
const take = shared[RECORDER]

afterAll(() => {
  const found = take().flatMap(({ text, parameters, source }) =>
    unexpectedFaults(text, parameters).map(fault => `A statement ${fault} (${source}):\n${text.trim()}`),
  )
  if (found.length > 0) throw new Error(found.join('\n\n'))
})
