import { type ChildProcess, fork } from 'node:child_process'
import { createRequire } from 'node:module'
import os from 'node:os'
import { dirname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Order, Report } from '../messages.ts'

const ENTRY = fileURLToPath(new URL('../engine/child.ts', import.meta.url))
const PROJECT = fileURLToPath(new URL('../../../', import.meta.url))
const HEAP_MB = 192

/** How nice a process of the background is: it gets about a tenth of a core that others want too. */
const BACKGROUND = 10

/** Characters of standard error that are kept of a process that broke down. */
const MOST_WORDS = 1000

/** The folder of installed packages, wherever it is: the only thing beside our own code that a child may read. */
function packages(): string {
  const entry = createRequire(import.meta.url).resolve('liquidjs')
  const folder = `${sep}node_modules${sep}`
  return entry.slice(0, entry.lastIndexOf(folder) + folder.length)
}

function options(): string[] {
  const readable = [
    join(dirname(dirname(ENTRY)), '*'),
    join(PROJECT, 'package.json'),
    join(packages(), '*'),
    // The same folder by the name that imports go through, where it is a link.
    join(PROJECT, 'node_modules', '*'),
  ]
  return [
    `--max-old-space-size=${HEAP_MB}`,
    '--max-semi-space-size=16',
    // Each keeps to one core.
    '--single-threaded-gc',
    // For the moments without work; no template gets to see it.
    '--expose-gc',
    '--disallow-code-generation-from-strings',
    '--disable-proto=delete',
    '--permission',
    ...readable.map(path => `--allow-fs-read=${path}`),
    '--no-warnings',
  ]
}

/** What happens to a child. */
export interface ChildEvents {
  onReport: (report: Report) => void
  /** It is gone, by itself or killed. Called once. */
  onExit: (how: { code: number | null; signal: NodeJS.Signals | null }) => void
}

/** A process that evaluates templates: no environment, no files but its own code, a small heap, and no way to code. */
export class EvaluatingProcess {
  private readonly process: ChildProcess
  readonly exited: Promise<void>
  /** The end of what it has said on standard error: nothing, unless it broke down. */
  lastWords = ''

  /** @param isBackground whether the machine should do everything else first */
  constructor(isBackground: boolean, { onReport, onExit }: ChildEvents) {
    this.process = fork(ENTRY, {
      execArgv: options(),
      // The zone is all that templates get to know of the machine; dates are in UTC.
      env: { TZ: 'UTC' },
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    // At once, so that the threads which it is about to start inherit it.
    if (isBackground) this.yieldToOthers()
    this.process.stderr?.setEncoding('utf8').on('data', (words: string) => {
      this.lastWords = (this.lastWords + words).slice(-MOST_WORDS)
    })
    this.process.on('message', onReport)
    this.exited = new Promise(resolve => {
      let gone = false
      const end = (code: number | null, signal: NodeJS.Signals | null) => {
        if (gone) return
        gone = true
        resolve()
        onExit({ code, signal })
      }
      this.process.once('exit', end)
      // A process that could not be started, or a channel that broke: either way it is of no use any more.
      this.process.once('error', () => {
        this.kill()
        if (this.process.pid === undefined) end(null, null)
      })
    })
  }

  get pid(): number | undefined {
    return this.process.pid
  }

  private yieldToOthers(): void {
    try {
      if (this.process.pid !== undefined) os.setPriority(this.process.pid, BACKGROUND)
    } catch {
      // A machine that does not allow it: then it is like any other.
    }
  }

  send(order: Order): void {
    // A failed sending is followed by the exit of the process, which is where it is handled.
    if (this.process.connected) this.process.send(order, () => undefined)
  }

  kill(): void {
    this.process.kill('SIGKILL')
  }
}
