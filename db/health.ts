import { setTimeout as sleep } from 'node:timers/promises'
import { Client, type ClientConfig, type Pool } from 'pg'

/** Time between two probes in ms. */
const INTERVAL = 500

/** Timeout of a probe in ms. With the interval, callers get a 503 within two seconds of an outage. */
const TIMEOUT = 1_300

/** Tracks the open connections of a pool. */
export class OpenConnections {
  readonly #clients = new Set<Client>()

  /** Call when the pool is created: existing connections are not tracked. */
  follow(pool: Pool): void {
    pool.on('connect', client => this.#clients.add(client as Client))
    pool.on('remove', client => this.#clients.delete(client as Client))
  }

  /** Closes all connections without waiting for the server, which may be frozen. Their queries fail immediately. */
  cut(): void {
    for (const client of this.#clients) cut(client)
  }
}

export interface DatabaseHealth {
  /** False after a failed probe until the next successful one. */
  readonly isUp: boolean
  stop(): void
}

/**
 * Probes the database on a separate connection. When a probe fails, closes the pool's connections, so that queries that
 * a frozen server would never answer fail immediately and their callers can retry.
 *
 * @param onChange called when the database becomes unavailable, with the reason, and when it is available again
 */
export const watchDatabase = (
  config: ClientConfig,
  connections: OpenConnections,
  onChange: (isUp: boolean, reason?: string) => void,
): DatabaseHealth => {
  let isUp = true
  const stopping = new AbortController()
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
    while (!stopping.signal.aborted) {
      try {
        await check()
        if (!isUp && !stopping.signal.aborted) {
          isUp = true
          onChange(true)
        }
      } catch (error) {
        discard()
        if (stopping.signal.aborted) return
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
      stopping.abort()
      discard()
    },
  }
}

/** Closes a connection without waiting for the server. */
const cut = (client: Client | undefined) => {
  const stream = (client as { connection?: { stream?: { destroy(): void } } } | undefined)?.connection?.stream
  stream?.destroy()
}
