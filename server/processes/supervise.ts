import type { Logger } from 'pino'
import { locateDatabase } from '../database/locate.ts'
import type { Settings } from '../settings/settings.ts'
import { type Report, toldToStop } from './messages.ts'
import { Slot } from './slot.ts'

/** How much longer than configured a process can take to stop, in ms. After that, the process is killed. */
const PATIENCE = 30_000

/**
 * Runs several processes that share the port. Also runs the embedded database if there is one. Restarts each process
 * that ends. On SIGUSR2, restarts all processes, one after the other. While one process restarts, the others serve all
 * requests. On SIGINT and SIGTERM, stops the processes and the embedded database.
 *
 * @param onDatabaseDeath called with the reason if the embedded database has ended for good
 * @returns the exit code
 * @throws EmbeddedPostgresError with a message that says what to do
 */
export const superviseProcesses = async (
  settings: Settings,
  log: Logger,
  onDatabaseDeath: (reason: string) => void,
): Promise<number> => {
  const { webConcurrency, redisUrl, stopDelay, connections } = settings
  if (redisUrl === undefined)
    log.warn(
      'Without REDIS_URL, each process counts calls separately: all rate limits are WEB_CONCURRENCY times as high',
    )
  const told = toldToStop()
  let first: Report | null = null
  const slots: Slot[] = []
  const restartAll = async () => {
    log.info('Restarting all processes')
    for (const slot of slots) await slot.restart()
    log.info('Restarted all processes')
  }
  let restarting = Promise.resolve()
  process.on('SIGUSR2', () => {
    // Until the first process is ready, all processes are new, so a restart is not needed.
    if (first) restarting = restarting.then(restartAll)
  })
  const database = await locateDatabase(settings, log, onDatabaseDeath)
  const open = (number: number): Slot => {
    const slot = new Slot({
      assign: () => ({ number, database: database.location, first }),
      patience: stopDelay + connections.stop + PATIENCE,
      log: log.child({ process: number }),
    })
    slots.push(slot)
    return slot
  }
  const stop = async () => {
    await Promise.all(slots.map(slot => slot.stop()))
    await database.stop()
  }

  // The first process migrates the database and prints the welcome. The others start after it, and only if it succeeds.
  const outcome = await Promise.race([open(0).outcome(), told.then(() => null)])
  if (outcome && 'ending' in outcome) {
    await stop()
    return Number(outcome.ending) || 1
  }
  if (outcome) {
    first = outcome.report
    for (let number = 1; number < webConcurrency; number++) open(number)
    for (const slot of slots) slot.keepRunning()
  }
  log.info({ signal: await told }, 'stopping')
  await stop()
  log.info('stopped')
  return 0
}
