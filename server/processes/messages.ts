import cluster from 'node:cluster'
import { once } from 'node:events'
import type { DatabaseLocation } from '../../db/orm.ts'
import type { Settings } from '../settings.ts'

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
 * Returns a promise that resolves with the reason once this process is told to stop. After that, another signal ends
 * the process immediately. A process that a supervisor has started ignores SIGINT: Ctrl+C sends it to the supervisor
 * too, which then tells the process to stop.
 */
export const toldToStop = (): Promise<string> => {
  const signals = cluster.isWorker ? ['SIGTERM'] : ['SIGINT', 'SIGTERM']
  const told = signals.map(name => once(process, name).then(() => name))
  if (cluster.isWorker) {
    process.on('SIGINT', () => {})
    told.push(stopOrder.promise)
  }
  return Promise.race(told).then(reason => {
    for (const name of signals) process.once(name, () => process.exit(1))
    return reason
  })
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
