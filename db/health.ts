import { setTimeout as sleep } from 'node:timers/promises'
import { Client, type ClientConfig, type Pool } from 'pg'

/** Milliseconds between two probes. */
const INTERVAL = 500

/** Milliseconds a probe may take. A caller is to hear of an outage within two seconds. */
const TIMEOUT = 1_300

/** The connections of pools, from the first one on. */
export class OpenConnections {
  readonly #clients = new Set<Client>()

  /** Call when the pool is created: connections that it already has are not found. */
  follow(pool: Pool): void {
    pool.on('connect', client => this.#clients.add(client as Client))
    pool.on('remove', client => this.#clients.delete(client as Client))
  }

  /** Closes all of them without asking the server, which may be frozen. Their queries fail at once. */
  cut(): void {
    for (const client of this.#clients) cut(client)
  }
}

/** What the process knows of its database. */
export interface DatabaseHealth {
  /** False from a failed probe to the next that succeeds. */
  readonly isUp: boolean
  stop(): void
}

/**
 * Probes the database on a connection of its own. When a probe fails, cuts the pool's connections, so that queries
 * that a frozen server would never answer fail at once and their callers can be told to retry.
 *
 * @param onChange called when the database goes away and when it is back; `reason` is undefined for the latter
 */
export const watchDatabase = (
  config: ClientConfig,
  connections: OpenConnections,
  onChange: (isUp: boolean, reason?: string) => void,
): DatabaseHealth => {
  let isUp = true
  let isStopped = false
  let probe: Client | undefined

  const discard = () => {
    const client = probe
    probe = undefined
    client?.removeAllListeners()
    client?.on('error', () => {})
    cut(client)
  }

  const check = async () => {
    if (!probe) {
      const client = new Client({ ...config, connectionTimeoutMillis: TIMEOUT, query_timeout: TIMEOUT })
      client.on('error', discard)
      probe = client
      await client.connect()
    }
    await probe.query('select 1')
  }

  const run = async () => {
    while (!isStopped) {
      try {
        await check()
        if (!isUp && !isStopped) {
          isUp = true
          onChange(true)
        }
      } catch (error) {
        discard()
        if (isStopped) return
        if (isUp) {
          isUp = false
          onChange(false, error instanceof Error ? error.message : String(error))
        }
        connections.cut()
      }
      await sleep(INTERVAL, undefined, { ref: false })
    }
  }
  void run()

  return {
    get isUp() {
      return isUp
    },
    stop: () => {
      isStopped = true
      discard()
    },
  }
}

/** Closes a connection without asking the server, which may be frozen. */
const cut = (client: Client | undefined) => {
  const stream = (client as { connection?: { stream?: { destroy(): void } } } | undefined)?.connection?.stream
  stream?.destroy()
}
