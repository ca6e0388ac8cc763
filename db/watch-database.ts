import os from 'node:os'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setImmediate as nextPoll, setTimeout as sleep } from 'node:timers/promises'
import { Client, type ClientConfig, type Pool } from 'pg'
import { PipelinedClient, streamOf } from './client.ts'
import { DatabaseDownError, isDatabaseTimeout } from './errors.ts'

/** Time between two probes in ms. */
const INTERVAL = 300

/** Time in ms after which a probe is late. */
const TIMEOUT = 600

/** The same for a first connection, which may need a name lookup and a TLS handshake. */
const CONNECT_TIMEOUT = 3_000

/**
 * If the server sends nothing for this time in ms, it counts as down. So callers get a 503 within two seconds of the
 * server's last response.
 */
const SILENCE = 1_200

/**
 * Additional time in ms on a busy machine. A machine is busy if it has more than `LOAD` runnable processes per core.
 */
const PATIENCE = 3_600
const LOAD = 2

/**
 * Minimum time between two readings of the load, in ms. A reading takes a system call, and the pool needs the load each
 * time it lends a connection.
 */
const LOAD_INTERVAL = 100

let isBusy = false
let readAt = Number.NEGATIVE_INFINITY

/** Returns how much longer than usual to wait for the database, in ms; 0 unless the machine is busy. */
export const patience = (): number => {
  if (performance.now() - readAt >= LOAD_INTERVAL) {
    isBusy = os.loadavg()[0]! > LOAD * os.availableParallelism()
    readAt = performance.now()
  }
  return isBusy ? PATIENCE : 0
}

/** Timeout in ms for a new connection of the pool or for reads, while the machine is not busy. */
const POOL_CONNECT_TIMEOUT = 1_500

/** Returns the timeout in ms for a connection of the pool or for reads that is opened now. */
export const connectTimeout = (): number => POOL_CONNECT_TIMEOUT + patience()

/** Resolution in ms at which delays of our own event loop are measured. */
const LAG_RESOLUTION = 20

/**
 * Maximum delay of our own event loop, in ms. If the delay was longer, a probe's timeout is ignored, because this
 * process itself was late.
 */
const MAX_LAG = 250

/** Time in ms for a clean disconnect when the service stops. */
const STOP_TIMEOUT = 500

/** Tracks the open connections of a pool, and refuses new ones while the server is down. */
export class OpenConnections {
  /** Whether the server is known to be down. */
  isDown = false
  /** The class of these connections: while the server is down, they fail at once, not after a timeout. */
  readonly Client: typeof PipelinedClient
  readonly #clients = new Set<Client>()
  readonly #onClient: (client: Client) => void
  #receivedBefore = 0

  /** @param onClient called with each new connection */
  constructor(onClient: (client: Client) => void = () => {}) {
    this.#onClient = onClient
    this.Client = clientUnless(() => this.isDown)
  }

  /**
   * Tracks the new connections of a pool. Call it when the pool is created: existing connections are not tracked.
   *
   * @param onError called when a connection breaks
   */
  follow(pool: Pool, onError: (error: Error) => void): void {
    pool.on('error', onError)
    pool.on('connect', client => {
      // While a connection is lent, the pool leaves its errors to the borrower, whose query fails with them.
      client.on('error', onError)
      this.#clients.add(client)
      this.#onClient(client)
    })
    pool.on('remove', client => {
      if (this.#clients.delete(client)) this.#receivedBefore += bytesRead(client)
    })
  }

  /** Tracks a connection that does not belong to a pool. */
  followClient(client: Client): void {
    this.#clients.add(client)
    this.#onClient(client)
    client.once('end', () => {
      if (this.#clients.delete(client)) this.#receivedBefore += bytesRead(client)
    })
  }

  /** Number of bytes received from the server on all tracked connections, including closed ones. */
  get received(): number {
    return this.#clients.values().reduce((sum, client) => sum + bytesRead(client), this.#receivedBefore)
  }

  /** Resolves once the server has closed the connections that are ending, or after half a second. */
  async ended(): Promise<void> {
    // Don't use `once` from `node:events` here: its promise rejects if the client emits `error` before `end`.
    const ended = this.#clients.values().map(client => new Promise<void>(done => client.once('end', done)))
    await Promise.race([Promise.all(ended), sleep(STOP_TIMEOUT)])
  }

  /** Closes all connections without waiting for the server, which may be frozen. Their queries fail immediately. */
  cut(): void {
    for (const client of this.#clients) cut(client)
  }
}

export interface DatabaseHealth {
  /** False while the server refuses connections or sends nothing. */
  readonly isUp: boolean
  /** Disconnects cleanly if the server responds. */
  stop(): Promise<void>
}

/** PostgreSQL's code for a connection above a limit. A server that refuses a connection with it is up. */
const TOO_MANY_CONNECTIONS = '53300'

const isFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === TOO_MANY_CONNECTIONS

/**
 * Probes the database on a separate connection. While the database is down, closes the pool's connections and refuses
 * new ones. As a result, queries that a frozen server would never answer fail immediately, and their callers can retry.
 * A slow probe does not mean that the server is down, because a busy machine delays probes. Only silence on every
 * connection, or two refused probes, counts as down. So a probe that is late keeps its connection, and a second
 * connection is opened beside it: on a busy machine, a connection that exists responds long before a new one does, but
 * only a new one shows that the server is up if the old one has been lost.
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
  const lag = monitorEventLoopDelay({ resolution: LAG_RESOLUTION })
  lag.enable()
  /** The connection on which the server has answered the last probe. */
  let idle: Client | undefined
  /** The connections on which an answer is still expected, at most two. */
  const asked = new Map<Client, Promise<Client>>()
  let timeout = CONNECT_TIMEOUT

  const discard = (client: Client) => {
    asked.delete(client)
    if (idle === client) idle = undefined
    client.removeAllListeners()
    client.on('error', () => {})
    cut(client)
  }

  /** Sends a probe on the idle connection or on a new one. */
  const ask = () => {
    const reused = idle
    idle = undefined
    const client = reused ?? new Client(config).on('error', () => discard(client))
    const answer = async () => {
      try {
        if (!reused) await client.connect()
        await client.query('select 1')
        return client
      } catch (error) {
        discard(client)
        throw error
      }
    }
    const answered = answer()
    // It can fail when nothing waits for it any more.
    answered.catch(() => {})
    asked.set(client, answered)
  }

  /** Resolves once the server has answered a probe. */
  const check = async () => {
    if (asked.size < 2) ask()
    const answered = await Promise.race([...asked.values(), pause(timeout)])
    if (!answered) throw new Error('timeout expired')
    asked.delete(answered)
    for (const other of asked.keys()) discard(other)
    idle = answered
  }

  /** Number of bytes that the server has sent on the connections that are open. */
  const received = () => asked.keys().reduce((sum, client) => sum + bytesRead(client), connections.received)

  let heardAt = performance.now()
  let refusals = 0

  /** Whether a failed probe shows that the server is down. */
  const isConclusive = (error: unknown, wasHeard: boolean): boolean => {
    const isTimeout = isDatabaseTimeout(error)
    if (isFull(error) || (isTimeout && (wasHeard || lag.max / 1e6 > MAX_LAG))) heardAt = performance.now()
    if (!isTimeout) return !isFull(error) && ++refusals > 1
    return performance.now() - heardAt >= SILENCE + patience()
  }

  const onSuccess = () => {
    heardAt = performance.now()
    refusals = 0
    timeout = TIMEOUT
    if (isUp) return
    isUp = true
    connections.isDown = false
    onChange(true)
  }

  const onFailure = (error: unknown, wasHeard: boolean) => {
    if (isUp && !isConclusive(error, wasHeard)) return
    if (isUp) {
      isUp = false
      connections.isDown = true
      onChange(false, error instanceof Error ? error.message : String(error))
    }
    timeout = CONNECT_TIMEOUT
    for (const client of asked.keys()) discard(client)
    connections.cut()
  }

  /** Resolves after a time in ms, or when the watch is stopped. */
  const pause = (duration: number) =>
    sleep(duration, undefined, { ref: false, signal: stopping.signal }).catch(() => {})

  const run = async () => {
    while (!stopping.signal.aborted) {
      lag.reset()
      // After a reset, the first sample has no predecessor and is not recorded, so wait for the second one.
      await pause(2 * LAG_RESOLUTION)
      const before = received()
      try {
        await check()
        if (!stopping.signal.aborted) onSuccess()
      } catch (error) {
        // After a delay of this process, the timeout can fire although responses have arrived, because they are not
        // read yet. Wait until they are read and the delay is recorded.
        await nextPoll()
        if (!stopping.signal.aborted) onFailure(error, received() !== before)
        // Probe again without a pause, because the timeout was a pause already.
        if (isUp && isDatabaseTimeout(error)) continue
      }
      await pause(INTERVAL)
    }
  }
  const stopped = run()

  const disconnect = async () => {
    await stopped
    await Promise.allSettled(asked.values())
    await Promise.all([...asked.keys(), ...(idle ? [idle] : [])].map(client => client.end()))
  }

  return {
    get isUp() {
      return isUp
    },
    stop: async () => {
      stopping.abort()
      lag.disable()
      // Disconnect cleanly. Otherwise our backend process would still run when the embedded server stops, and log an
      // error.
      await Promise.race([disconnect().catch(() => {}), sleep(STOP_TIMEOUT)])
      for (const client of [...asked.keys(), ...(idle ? [idle] : [])]) discard(client)
    },
  }
}

/** Returns a class of connections whose `connect` fails at once while `isDown` returns true. */
const clientUnless = (isDown: () => boolean): typeof PipelinedClient =>
  class extends PipelinedClient {
    override connect(): Promise<Client>
    override connect(callback: (error: Error) => void): void
    override connect(callback?: (error: Error) => void): Promise<Client> | undefined {
      if (!callback) return isDown() ? Promise.reject(new DatabaseDownError()) : super.connect()
      if (isDown()) process.nextTick(callback, new DatabaseDownError())
      else super.connect(callback)
      return undefined
    }
  }

const bytesRead = (client: Client): number => streamOf(client)?.bytesRead ?? 0

/** Closes a connection without waiting for the server. */
const cut = (client: Client | undefined) => streamOf(client)?.destroy()
