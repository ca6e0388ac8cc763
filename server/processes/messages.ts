import cluster from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DatabaseLocation } from '../../db/database.ts'
import type { Settings } from '../settings/settings.ts'

/** What the supervisor tells a process that it has just started. */
export interface Assignment {
  /** The number of the process, from 0. A process that replaces another one takes over its number. */
  number: number
  database: DatabaseLocation
  /** What the first process of the service has reported; null for that process itself. */
  first: Report | null
}

/** What a process tells the supervisor once it accepts requests. */
export interface Report {
  /** Subdomain of the demo space; null if there is none. */
  demo: string | null
}

/**
 * Asks the supervisor for an assignment. A process sends this once it listens for messages, because messages that
 * arrive earlier would be lost.
 */
export const HELLO = 'hello'

/** Tells a process to finish its requests and end. */
export const STOP = 'stop'

const stopOrder = Promise.withResolvers<string>()

/** Waits for the assignment of this process and returns it; null if no supervisor has started the process. */
export const receiveAssignment = async (): Promise<Assignment | null> => {
  if (!cluster.isWorker) return null
  const assigned = Promise.withResolvers<Assignment>()
  process.on('message', (message: Assignment | typeof STOP) => {
    if (message === STOP) stopOrder.resolve(STOP)
    else assigned.resolve(message)
  })
  process.send?.(HELLO)
  return assigned.promise
}

/** Tells the supervisor, if there is one, that this process accepts requests. */
export const reportReady = (report: Report): void => {
  if (cluster.isWorker) process.send?.(report)
}

/**
 * How long the same signal counts only once, in ms. A service manager or a terminal sends a signal to all processes, and
 * npm, which is one of them, passes it on to this one again.
 */
const ECHO = 500

/** How often to check whether npm still runs, in ms. */
const PARENT_CHECK = 500

/**
 * Returns a promise that resolves with the reason once this process is told to stop. After that, another signal ends
 * the process immediately. A process that a supervisor has started only obeys SIGTERM and the supervisor: the other
 * signals reach the supervisor too, which then tells the process to stop.
 */
export const toldToStop = (): Promise<string> => {
  const told = Promise.withResolvers<string>()
  let first: { name: string; at: number } | undefined
  const onSignal = (name: string) => {
    if (first && (name !== first.name || performance.now() - first.at > ECHO)) process.exit(1)
    first ??= { name, at: performance.now() }
    told.resolve(name)
  }
  process.on('SIGTERM', onSignal)
  for (const name of ['SIGINT', 'SIGHUP'] as const) process.on(name, cluster.isWorker ? () => {} : onSignal)
  if (cluster.isWorker) void stopOrder.promise.then(told.resolve)
  else void endOfNpm().then(told.resolve)
  return told.promise
}

/**
 * Resolves once the npm that runs this process as `npm start` has ended. npm passes on SIGTERM and SIGINT, but other
 * signals end only npm itself, and this process would go on without anyone who could stop it.
 */
const endOfNpm = async (): Promise<string> => {
  const parent = process.ppid
  const isRunByNpm = process.env.npm_lifecycle_event === 'start'
  if (!isRunByNpm) return new Promise(() => {})
  while (process.ppid === parent) await sleep(PARENT_CHECK, undefined, { ref: false })
  return 'the end of npm'
}

/**
 * Returns the settings for one of several processes: each has its own port for metrics, and only the first one writes
 * backups.
 */
export const settingsOf = (settings: Settings, number: number): Settings => ({
  ...settings,
  metricsPort: settings.metricsPort === undefined ? undefined : settings.metricsPort + number,
  backups: number === 0 ? settings.backups : { ...settings.backups, everyHours: 0 },
})
