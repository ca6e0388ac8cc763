import { Script } from 'node:vm'
import { CPU_LIMIT_MS } from './budget.ts'

/** An interrupted task that used less than this share of its limit was not given enough processor time. */
const TOLERANCE = 0.9

/**
 * Limits on a task's elapsed time, in ms: `WATCHED_MS` if a parent process watches the processor time, otherwise
 * `UNWATCHED_MS`. A task reaches `WATCHED_MS` only if the parent has exited or the machine is very busy.
 */
const WATCHED_MS = 1_500
const UNWATCHED_MS = CPU_LIMIT_MS

/**
 * A task that was not given enough processor time is tried again. For each further attempt, the limit on elapsed
 * time is multiplied by `BACKOFF`. There is no further attempt if the limit would exceed `LONGEST_MS`.
 */
const BACKOFF = 3
const LONGEST_MS = 7_000

/** A signal that arrives before a task has used this much processor time, in ms, was meant for the previous task. */
const LATE_SIGNAL_MS = 5

/** Thrown when a task used up its processor time. */
export class TimeoutError extends Error {}

/**
 * Thrown when the machine was too busy to give a task its processor time, or when the parent interrupted the task for
 * other jobs. The task is not at fault.
 */
export class StarvedError extends Error {}

const TASK = '__guarded'
let current: () => unknown = () => undefined
const script = new Script(`globalThis.${TASK}()`, { filename: 'guard' })
Object.defineProperty(globalThis, TASK, { value: () => current() })

/** Processor time of this thread, in ms. */
export function threadTime(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/**
 * Limits the processor time of tasks. If the parent process can watch this time, the parent interrupts a task with
 * SIGINT. If the parent cannot watch this time, the guard interrupts a task at a limit on elapsed time. A task that has
 * not used up its processor time by then is tried again.
 */
export class Guard {
  private readonly isWatched: boolean
  private readonly onStart: () => void

  /**
   * @param isWatched whether the parent process watches the processor time
   * @param onStart called before each attempt
   */
  constructor(isWatched: boolean, onStart: () => void) {
    this.isWatched = isWatched
    this.onStart = onStart
  }

  /**
   * Runs `task` and stops it when its processor time is used up. The task can stop at any point of its code, and its
   * `finally` blocks do not run then. The task must be repeatable, because it may be tried again.
   *
   * Some built-in operations of the JavaScript engine cannot be stopped, such as native sorting and joining very long
   * lists. If such an operation runs too long, the parent process kills the worker.
   *
   * @throws {@link TimeoutError}, {@link StarvedError}, or the error that the task throws
   */
  run<Result>(task: () => Result): Result {
    let timeout = this.isWatched ? WATCHED_MS : UNWATCHED_MS
    for (;;) {
      this.onStart()
      const before = threadTime()
      try {
        return runInterruptibly(task, timeout)
      } catch (error) {
        if (!isInterruption(error)) throw error
        const spent = threadTime() - before
        if (spent >= CPU_LIMIT_MS * TOLERANCE) throw new TimeoutError()
        if (isSignal(error) && spent >= LATE_SIGNAL_MS) throw new StarvedError()
        timeout *= BACKOFF
        if (timeout > LONGEST_MS) throw new StarvedError()
      }
    }
  }
}

function runInterruptibly<Result>(task: () => Result, timeout: number): Result {
  let result: Result | undefined
  current = () => {
    result = task()
  }
  script.runInThisContext({ timeout, breakOnSigint: true })
  return result as Result
}

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : undefined)

const isSignal = (error: unknown) => codeOf(error) === 'ERR_SCRIPT_EXECUTION_INTERRUPTED'

const isInterruption = (error: unknown) => isSignal(error) || codeOf(error) === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
