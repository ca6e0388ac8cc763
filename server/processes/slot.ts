import cluster, { type Worker } from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { type Assignment, HELLO, type Report, STOP } from './messages.ts'

/** Milliseconds before each attempt to restart a process. The delays start over after it has run for a minute. */
const BACKOFF = [0, 250, 500, 1_000, 2_000, 4_000, 8_000]
const QUIET = 60_000

// The processes accept connections themselves. By default, the supervisor would accept connections and pass them on. If
// the receiving process was then killed, the connection would stay open without a response.
cluster.schedulingPolicy = cluster.SCHED_NONE

/** A process that serves requests. */
interface Serving {
  worker: Worker
  /** Whether the process has received its assignment. From then on, it listens for further messages. */
  isAssigned: boolean
  /** Resolves with the report of the process once the process accepts requests; with null if it ends before that. */
  ready: Promise<Report | null>
  /** Resolves when the process has ended: with the exit code, the signal, or an error message. */
  ended: Promise<number | string>
}

interface Options {
  /** Returns what to tell the process when it starts. */
  assign: () => Assignment
  /** Time in ms after which a process that was told to stop is killed. */
  patience: number
  log: Logger
}

/** Starts one of the supervised processes, and later its replacements. */
export class Slot {
  readonly #options: Options
  readonly #stopping = new AbortController()
  #serving: Serving
  /** The process that was told to stop. */
  #told: Serving | undefined
  #onReady = Promise.withResolvers<void>()
  #running: Promise<void> | undefined

  /** Starts the process. */
  constructor(options: Options) {
    this.#options = options
    this.#serving = this.#start()
  }

  /** Returns the report of the process, or its exit code or signal if it ends before it accepts requests. */
  async outcome(): Promise<{ report: Report } | { ending: number | string }> {
    const { ready, ended } = this.#serving
    const report = await ready
    return report ? { report } : { ending: await ended }
  }

  /** From now on, starts the process again whenever it ends. */
  keepRunning(): void {
    this.#running ??= this.#run()
  }

  /** Tells the process to stop, and resolves once another process has replaced it and accepts requests. */
  async restart(): Promise<void> {
    this.#onReady = Promise.withResolvers()
    this.#tell()
    await this.#onReady.promise
  }

  /** Tells the process to stop, and resolves once it has ended. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#tell()
    await (this.#running ?? this.#serving.ended)
    this.#onReady.resolve()
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping
    let failures = 0
    while (!signal.aborted) {
      const startedAt = performance.now()
      const ending = await this.#serving.ended
      if (signal.aborted) return
      if (this.#serving === this.#told) failures = 0
      else {
        if (performance.now() - startedAt > QUIET) failures = 0
        this.#options.log.error({ ending }, 'A process ended unexpectedly; restarting it')
        const delay = BACKOFF[Math.min(failures++, BACKOFF.length - 1)]
        await sleep(delay, undefined, { signal }).catch(() => {})
        if (signal.aborted) return
      }
      this.#serving = this.#start()
    }
  }

  #start(): Serving {
    const worker = cluster.fork()
    const ended = new Promise<number | string>(resolve => {
      worker.once('exit', (code: number, signal: string | null) => resolve(signal ?? code))
      // The process could not be started, or receives no messages.
      worker.on('error', error => {
        worker.process.kill('SIGKILL')
        resolve(error.message)
      })
    })
    const reported = Promise.withResolvers<Report>()
    const ready = Promise.race([reported.promise, ended.then(() => null)])
    const serving = { worker, isAssigned: false, ready, ended }
    // On a busy machine, a process can be told to stop before it is ready; `restart` waits for the one that replaces it.
    void ready.then(report => report && serving !== this.#told && this.#onReady.resolve())
    worker.on('message', (message: typeof HELLO | Report) => {
      if (message !== HELLO) return reported.resolve(message)
      serving.isAssigned = true
      send(worker, this.#options.assign())
    })
    return serving
  }

  #tell(): void {
    this.#told = this.#serving
    const { worker, isAssigned, ended } = this.#serving
    if (isAssigned) send(worker, STOP)
    else worker.process.kill('SIGTERM')
    const timer = setTimeout(() => worker.process.kill('SIGKILL'), this.#options.patience)
    void ended.then(() => clearTimeout(timer))
  }
}

/** Sends a message. Ignores failures: a process that cannot receive messages is replaced when it ends. */
const send = (worker: Worker, message: Assignment | typeof STOP): void => void worker.send(message, () => {})
