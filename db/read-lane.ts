import type { ClientConfig, QueryResultRow } from 'pg'
import { type Batch, PipelinedClient } from './client.ts'
import { DatabaseDownError } from './errors.ts'
import { connectTimeout, type OpenConnections } from './watch-database.ts'

/** Number of connections that reads share. Queries on one connection are sent without waiting for each other. */
const CONNECTIONS = 4

/** Timeout in ms for a query. A query that times out also breaks its connection. */
const QUERY_TIMEOUT = 15_000

/** A connection that several reads use at the same time. */
interface Shared {
  client: PipelinedClient
  /** The attempt to connect, which rejects if it fails; undefined once the connection is ready. */
  connecting: Promise<unknown> | undefined
  /** Number of queries without a response. */
  open: number
  /** The batch that is sent next. */
  batch?: Batch
  /** The queries of this batch that callers can share, by statement and values. */
  together: Map<string, Promise<unknown[]>>
}

/**
 * A few pipelined connections for the reads of every request. Reads that arrive together are sent together. With a
 * pool, each read would need two turns of the event loop and a separate write to the socket, because a pool lends a
 * connection to one query at a time.
 *
 * The reads are named statements: PostgreSQL parses and plans each statement only once per connection. Writers use the
 * pool, so reads never wait for writers.
 */
export class ReadLane {
  readonly #config: ConstructorParameters<typeof PipelinedClient>[0]
  readonly #connections: OpenConnections
  readonly #shared: (Shared | undefined)[] = Array.from({ length: CONNECTIONS })
  #running = 0
  /** The connection for all reads of the current turn of the event loop. Undefined before the first read. */
  #current: Shared | undefined
  #isClosed = false

  /** @param config `namesStatements`: see {@link PipelinedClient} */
  constructor(config: ClientConfig & { namesStatements?: boolean }, connections: OpenConnections) {
    this.#config = config
    this.#connections = connections
  }

  /** The numbers of open connections and of reads without a response. */
  get load(): { connections: number; reads: number } {
    return { connections: this.#shared.filter(shared => shared !== undefined).length, reads: this.#running }
  }

  /**
   * Runs a read.
   *
   * @param name the statement's name on the server; each statement text needs a different name
   * @param isShared whether this query can use the result of an identical query that still waits to be sent. The result
   * of a query that was already sent is never used, because its rows may have been read before this call
   */
  async query<Row extends QueryResultRow>(
    name: string,
    text: string,
    values: unknown[],
    isShared = false,
  ): Promise<Row[]> {
    this.#running += 1
    try {
      const shared = this.#currentConnection()
      if (shared.connecting) await shared.connecting
      return await (isShared
        ? this.#sendOnce<Row>(shared, name, text, values)
        : this.#send<Row>(shared, name, text, values))
    } finally {
      this.#running -= 1
    }
  }

  /** Sends a query, or returns the result of an identical query that is still waiting to be sent. */
  #sendOnce<Row extends QueryResultRow>(
    shared: Shared,
    name: string,
    text: string,
    values: unknown[],
  ): Promise<Row[]> {
    const batch = shared.client.sendTogether('loop')
    if (shared.batch !== batch) {
      shared.batch = batch
      shared.together.clear()
    }
    const key = keyOf(name, values)
    const same = shared.together.get(key)
    if (same) return same as Promise<Row[]>
    const sent = this.#send<Row>(shared, name, text, values)
    shared.together.set(key, sent)
    return sent
  }

  #send<Row extends QueryResultRow>(
    shared: Shared,
    name: string,
    text: string,
    values: unknown[],
  ): Promise<Row[]> {
    shared.client.sendTogether('loop')
    shared.open += 1
    const answered = () => {
      shared.open -= 1
    }
    const rows = shared.client.run<Row>(name, text, values)
    rows.then(answered, answered)
    return rows
  }

  /** Disconnects. Later reads fail. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.allSettled(this.#shared.flatMap(shared => (shared ? [shared.client.end()] : [])))
  }

  /** Chooses the connection with the fewest open queries, once per turn of the event loop. */
  #currentConnection(): Shared {
    if (this.#current && this.#shared.includes(this.#current)) return this.#current
    let slot = 0
    for (const [index, shared] of this.#shared.entries()) {
      if ((shared?.open ?? 0) < (this.#shared[slot]?.open ?? 0)) slot = index
    }
    this.#current = this.#shared[slot] ?? this.#connect(slot)
    setImmediate(() => {
      this.#current = undefined
    })
    return this.#current
  }

  #connect(slot: number): Shared {
    if (this.#isClosed) throw new Error('Cannot use a pool after calling end')
    if (this.#connections.isDown) throw new DatabaseDownError()
    const client = new PipelinedClient({
      ...this.#config,
      connectionTimeoutMillis: connectTimeout(),
      query_timeout: QUERY_TIMEOUT,
    })
    const forget = () => {
      if (this.#shared[slot]?.client === client) this.#shared[slot] = undefined
    }
    // When a connection breaks, its queries fail, and its slot becomes free. The next query that uses the slot opens a
    // new connection.
    client.once('error', forget)
    client.once('end', forget)
    client.on('error', () => {})
    this.#connections.followClient(client)
    const shared: Shared = { client, connecting: undefined, open: 0, together: new Map() }
    const connect = async () => {
      await client.connect()
      client.spreadParsing()
      shared.connecting = undefined
    }
    shared.connecting = connect()
    shared.connecting.catch(forget)
    this.#shared[slot] = shared
    return shared
  }
}

/** Returns a string that is unique to a statement with these values. */
const keyOf = (name: string, values: unknown[]): string =>
  name + JSON.stringify(values.map(value => (Buffer.isBuffer(value) ? value.toString('base64') : value)))
