import { Script } from 'node:vm'

const SLOT = '__guarded'

/** Thrown when the guarded work was stopped. */
export class CutOff extends Error {}

let work: () => unknown = () => undefined
const script = new Script(`globalThis.${SLOT}()`, { filename: 'guard' })
Object.defineProperty(globalThis, SLOT, { value: () => work() })

/**
 * Runs `task` and stops it after `milliseconds`, wherever it is. Only an operation of the engine itself that never
 * looks up (sorting with native code, joining very long lists) can outlast that; the parent process ends those.
 * Throws {@link CutOff} when it was stopped. Finally-blocks of what was stopped have not run.
 */
export function guarded<Result>(task: () => Result, milliseconds: number): Result {
  let result: Result | undefined
  work = () => {
    result = task()
  }
  try {
    script.runInThisContext({ timeout: milliseconds })
    return result as Result
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    throw code === 'ERR_SCRIPT_EXECUTION_TIMEOUT' ? new CutOff() : error
  }
}
