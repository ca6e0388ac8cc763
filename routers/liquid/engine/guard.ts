import { Script } from 'node:vm'

const TASK = '__guarded'

/** Thrown when a task ran out of time. */
export class TimeoutError extends Error {}

let current: () => unknown = () => undefined
const script = new Script(`globalThis.${TASK}()`, { filename: 'guard' })
Object.defineProperty(globalThis, TASK, { value: () => current() })

/**
 * Runs `task` and stops it after `milliseconds`, wherever it is. Only built-in operations of the JavaScript engine that
 * never check for termination (native sorting, joining very long lists) can outlast that; the parent process kills the
 * worker in that case.
 * Throws {@link TimeoutError}. Finally-blocks of a stopped task have not run.
 */
export function guarded<Result>(task: () => Result, milliseconds: number): Result {
  let result: Result | undefined
  current = () => {
    result = task()
  }
  try {
    script.runInThisContext({ timeout: milliseconds })
    return result as Result
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    throw code === 'ERR_SCRIPT_EXECUTION_TIMEOUT' ? new TimeoutError() : error
  }
}
