import { type ChildProcess, fork } from 'node:child_process'
import { type Order, type Report, WATCHED } from '../messages.ts'
import { CpuClock } from './cpu-clock.ts'
import { findProgram } from './program.ts'

const PROGRAM = findProgram()
const HEAP_MB = 192

/** Characters of standard error kept for the log. */
const STDERR_LIMIT = 1000

/** Node.js 20, on which `space` runs, has an earlier name for it. */
const PERMISSION = process.allowedNodeEnvironmentFlags.has('--permission')
  ? '--permission'
  : '--experimental-permission'

const NODE_OPTIONS = [
  `--max-old-space-size=${HEAP_MB}`,
  '--max-semi-space-size=16',
  // Keeps each worker to one core; decision 0004 has the figures.
  '--single-threaded-gc',
  // The worker collects garbage while idle; templates cannot reach `gc`.
  '--expose-gc',
  '--disallow-code-generation-from-strings',
  '--disable-proto=delete',
  PERMISSION,
  ...PROGRAM.readable.map(path => `--allow-fs-read=${path}`),
  '--no-warnings',
]

/** Callbacks of a worker process. */
export interface ProcessEvents {
  onReport: (report: Report) => void
  /** The process has exited or was killed. Called once. */
  onExit: (how: { code: number | null; signal: NodeJS.Signals | null }) => void
}

/**
 * A sandboxed Node.js process that evaluates templates. It has a small heap and no environment variables of the parent,
 * and can read no files but its own code.
 */
export class WorkerProcess {
  private readonly process: ChildProcess
  private clock: CpuClock | undefined
  readonly exited: Promise<void>
  /** The end of the process's standard error; empty unless the process crashed. */
  stderr = ''

  constructor({ onReport, onExit }: ProcessEvents) {
    this.process = fork(PROGRAM.entry, CpuClock.isAvailable ? [WATCHED] : [], {
      execArgv: NODE_OPTIONS,
      // Dates are in UTC; templates learn nothing else about the machine.
      env: { TZ: 'UTC' },
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    this.clock = this.process.pid === undefined ? undefined : CpuClock.of(this.process.pid)
    this.process.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderr = (this.stderr + text).slice(-STDERR_LIMIT)
    })
    this.process.on('message', onReport)
    this.exited = new Promise(resolve => {
      let gone = false
      const end = (code: number | null, signal: NodeJS.Signals | null) => {
        if (gone) return
        gone = true
        this.clock?.close()
        this.clock = undefined
        resolve()
        onExit({ code, signal })
      }
      this.process.once('exit', end)
      // The process could not be started, or its channel broke; either way it cannot be used.
      this.process.once('error', () => {
        this.kill()
        if (this.process.pid === undefined) end(null, null)
      })
    })
  }

  /** Processor time of the process's main thread, in ms; undefined if the system cannot tell. */
  threadTime(): number | undefined {
    return this.clock?.read()
  }

  /** Interrupts the running task; see engine/guard.ts. */
  interrupt(): void {
    this.process.kill('SIGINT')
  }

  send(order: Order): void {
    // Nothing to do if sending fails: the process then exits, and `onExit` is called.
    if (this.process.connected) this.process.send(order, () => undefined)
  }

  kill(): void {
    this.process.kill('SIGKILL')
  }
}
