/**
 * Fails after a test file if the service compiled a statement in it that Citus could not send to the one server with the
 * content of its space (`routing.ts`), unless `unrouted.ts` says why it may.
 */
import { afterAll } from 'vitest'
import { recordCompiled } from './compiled-statements.ts'
import { unexpectedFaults } from './unrouted.ts'

/** Under this symbol, the files of a worker share one recorder. */
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
