import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../db/embedded/postgres.ts'

/** Milliseconds before each attempt to restart the server. The delays start over after a minute without a failure. */
const BACKOFF = [0, 250, 500, 1_000, 2_000, 4_000, 8_000]
const QUIET = 60_000

/**
 * Matches the line that the database server logs for each connection that it refuses while it starts or stops. During
 * that time, each call to the service causes such a line.
 */
const REFUSED = /^FATAL: +the database system is (starting up|shutting down|not yet accepting connections)/

const isWarning = (line: string): boolean => /^(WARNING|ERROR|FATAL|PANIC):/.test(line) && !REFUSED.test(line)

/** The embedded server, restarted if it ends unexpectedly. */
export interface SupervisedDatabase {
  /** Stays the same across restarts. */
  connection: EmbeddedPostgres['connection']
  stop(): Promise<void>
}

/**
 * Runs the embedded server and restarts it if it ends unexpectedly.
 *
 * @param connections how many connections the server accepts
 * @param onGiveUp called with the reason when all attempts to restart it have failed
 * @throws EmbeddedPostgresError when the first start fails
 */
export const superviseDatabase = async (
  folder: string,
  connections: number,
  log: Logger,
  onGiveUp: (reason: string) => void,
): Promise<SupervisedDatabase> => {
  const start = () =>
    startEmbeddedPostgres({
      folder,
      settings: { max_connections: String(connections) },
      onLog: line => log[isWarning(line) ? 'warn' : 'debug']({ line }, 'database'),
    })

  let server = await start()
  const { connection } = server
  let isStopped = false
  let restarting: Promise<void> | undefined

  const restart = async (reason: string) => {
    log.error({ reason }, 'The database ended unexpectedly; restarting it')
    let failure = reason
    for (const delay of BACKOFF) {
      await sleep(delay, undefined, { ref: false })
      if (isStopped) return
      try {
        server = await start()
      } catch (error) {
        failure = error instanceof Error ? error.message : String(error)
        log.error({ reason: failure }, 'The database could not be restarted')
        continue
      }
      // The pool connects to this socket folder. If the server uses another folder, the pool cannot reach it.
      if (server.connection.host === connection.host) {
        watch()
        log.info('The database is running again')
        return
      }
      await server.stop()
      failure = `The socket folder ${connection.host} can no longer be used.`
    }
    onGiveUp(failure)
  }

  let recentDeaths: number[] = []
  const onDeath = (reason: string) => {
    const now = Date.now()
    recentDeaths = [...recentDeaths.filter(at => now - at < QUIET), now]
    if (recentDeaths.length > BACKOFF.length) onGiveUp(reason)
    else restarting = restart(reason)
  }
  const watch = () => void server.died.then(onDeath)
  watch()

  return {
    connection,
    stop: async () => {
      isStopped = true
      await restarting
      await server.stop()
    },
  }
}
