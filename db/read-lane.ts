import { Client, type ClientConfig, type QueryResultRow } from 'pg'
import type { OpenConnections } from './health.ts'

/** Number of connections that reads share. Queries on one connection are sent without waiting for each other. */
const CONNECTIONS = 4

/** Timeouts in ms: to connect, and for a query. A query that times out also breaks its connection. */
const CONNECT_TIMEOUT = 1_500
const QUERY_TIMEOUT = 15_000

/** A connection, and the promise that it is ready. */
interface Shared {
  client: Client
  ready: Promise<unknown>
}

/**
 * A few pipelined connections for the reads of every request. A pool lends a connection to one query at a time, so each
 * read there takes two turns of the event loop and a separate write to the socket. Here, reads that arrive together are
 * sent together. They are named statements, which the server parses and plans once per connection. Reads never wait for
 * writers, which use the pool.
 */
export class ReadLane {
  readonly #config: ClientConfig
  readonly #connections: OpenConnections
  readonly #shared: (Shared | undefined)[] = Array.from({ length: CONNECTIONS })
  #next = 0
  #isClosed = false

  constructor(config: ClientConfig, connections: OpenConnections) {
    this.#config = config
    this.#connections = connections
  }

  /**
   * Runs a read.
   *
   * @param name the statement's name on the server; every text has its own name
   */
  async query<Row extends QueryResultRow>(name: string, text: string, values: unknown[]): Promise<Row[]> {
    this.#next = (this.#next + 1) % CONNECTIONS
    const { client, ready } = this.#shared[this.#next] ?? this.#connect(this.#next)
    await ready
    const { rows } = await client.query<Row>({ name, text, values })
    return rows
  }

  /** Disconnects. Later reads fail. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.allSettled(this.#shared.flatMap(shared => (shared ? [shared.client.end()] : [])))
  }

  #connect(slot: number): Shared {
    if (this.#isClosed) throw new Error('Cannot use a pool after calling end')
    const client = new Client({
      ...this.#config,
      pipeline: true,
      connectionTimeoutMillis: CONNECT_TIMEOUT,
      query_timeout: QUERY_TIMEOUT,
    })
    const forget = () => {
      if (this.#shared[slot]?.client === client) this.#shared[slot] = undefined
    }
    // When a connection breaks, its queries fail and the next query of the slot reconnects.
    client.once('error', forget)
    client.once('end', forget)
    client.on('error', () => {})
    this.#connections.followClient(client)
    const ready = client.connect()
    ready.catch(forget)
    const shared = { client, ready }
    this.#shared[slot] = shared
    return shared
  }
}
