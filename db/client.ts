import type { Duplex } from 'node:stream'
import pg, { Client, type ClientConfig, type Connection, Query, type QueryResultRow } from 'pg'
import { parseTimestamp, TIMESTAMPTZ } from './timestamp.ts'

/** A group of data that a connection sends together, with one system call. The object only identifies the group. */
export type Batch = Readonly<{ until: 'turn' | 'loop' }>

/**
 * Number of bytes of results to parse before letting other requests run. If the rows are short, parsing this many bytes
 * takes a few milliseconds.
 */
const BYTES_PER_TURN = 131_072

/** The socket of a connection, which the driver's types omit. */
export const streamOf = (client: Client | undefined): (Duplex & { bytesRead?: number }) | undefined =>
  (client as unknown as { connection?: { stream?: Duplex } } | undefined)?.connection?.stream

/** A connection that sends statements without waiting for the responses to earlier ones. */
export class PipelinedClient extends Client {
  readonly #namesStatements: boolean
  /** The descriptions of the results of the named statements that this connection has run, by name. */
  readonly #descriptions = new Map<string, Description>()
  #batch: Batch | undefined

  /** @param config `namesStatements`: whether statements are prepared under their names; true unless set */
  constructor(config: ClientConfig & { namesStatements?: boolean }) {
    super({ ...config, pipeline: true })
    this.#namesStatements = config.namesStatements ?? true
    this.setTypeParser(TIMESTAMPTZ, parseTimestamp)
  }

  /**
   * Runs a statement that the server parses and plans once for this connection.
   *
   * @param name the statement's name on the server; each statement text needs a different name
   */
  run<Row extends QueryResultRow>(name: string, text: string, values: unknown[]): Promise<Row[]> {
    const query = this.#namesStatements
      ? new NamedQuery<Row>(name, text, values, this.#descriptions)
      : { text, values }
    return new Promise((resolve, reject) => {
      this.query<Row>(query, (error: Error | null, result) => {
        if (error) reject(error)
        else resolve(result.rows)
      })
    })
  }

  /**
   * Delays everything sent on this connection for a moment, so that several statements take one system call and arrive
   * together.
   *
   * @param until `turn`: until the running code awaits something; `loop`: until the event loop has handled all requests
   * that have arrived
   * @returns the batch; until it is sent, further calls return the same batch
   */
  sendTogether(until: Batch['until']): Batch {
    if (this.#batch) return this.#batch
    const stream = streamOf(this)!
    const send = () => {
      this.#batch = undefined
      stream.uncork()
    }
    stream.cork()
    if (until === 'turn') process.nextTick(send)
    else setImmediate(send)
    this.#batch = { until }
    return this.#batch
  }

  /**
   * Spreads the parsing of large results over turns of the event loop. Otherwise a turn parses everything that has
   * arrived, up to two megabytes. Call it when connected.
   */
  spreadParsing(): void {
    const stream = streamOf(this)!
    let bytes = 0
    const continueReading = () => {
      bytes = 0
      stream.resume()
    }
    stream.on('data', (part: Buffer) => {
      bytes += part.length
      if (bytes < BYTES_PER_TURN || stream.isPaused()) return
      stream.pause()
      setImmediate(continueReading)
    })
  }
}

/**
 * The driver's result, with the fields that the driver's types omit. When the server describes the result, the driver
 * sets all fields except `rows`.
 */
interface DriverResult<Row> {
  rows: Row[]
  fields: unknown[]
  _parsers: unknown[] | undefined
  _prebuiltEmptyResultObject: object | null
}

/**
 * Describes how to convert the rows of a result. Each time a connection runs the same statement, the description is the
 * same.
 */
type Description = Pick<DriverResult<unknown>, 'fields' | '_parsers' | '_prebuiltEmptyResultObject'>

/** The driver's query, with the members that its types omit. */
interface DriverQuery<Row> {
  name: string
  readonly text: string
  readonly values: never[]
  readonly _result: DriverResult<Row>
  _accumulateRows: boolean
  callback: (error: Error | null, result: DriverResult<Row>) => void
  /** Sends the query. Returns an error if it cannot be sent. */
  submit(connection: Connection): Error | null
  handleCommandComplete(message: unknown, connection: Connection): void
}

const DriverQuery = Query as unknown as new <Row>(text: string, values: unknown[]) => DriverQuery<Row>
const { prepareValue } = (pg as unknown as { utils: { prepareValue: (value: unknown) => unknown } }).utils

/** The messages `Execute` and `Sync`, which run the statement after `Bind` has set its values. */
const EXECUTE_AND_SYNC = Buffer.from([0x45, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0x53, 0, 0, 0, 4])

/**
 * A named statement with its values. The driver makes the server describe the result of every query. A named statement
 * always has the same columns (if they change, the server refuses to run it), so this class asks for the description
 * only once for each connection.
 */
class NamedQuery<Row extends QueryResultRow> extends DriverQuery<Row> {
  readonly #descriptions: Map<string, Description>
  #isDescribed = false

  constructor(name: string, text: string, values: unknown[], descriptions: Map<string, Description>) {
    // Don't pass an object. The driver would copy it through its property descriptors, which takes 4 % of the time of
    // a read.
    super(text, values)
    this.name = name
    this.#descriptions = descriptions
  }

  override submit(connection: Connection): Error | null {
    const known = this.#descriptions.get(this.name)
    if (!known) return super.submit(connection)
    this.#isDescribed = true
    Object.assign(this._result, known)
    this._accumulateRows = true
    try {
      connection.bind({ statement: this.name, values: this.values, valueMapper: prepareValue }, false)
    } catch (error) {
      return error as Error
    }
    if (connection.stream.writable) connection.stream.write(EXECUTE_AND_SYNC)
    return null
  }

  /** Called after the last row; not called if the statement fails or its values cannot be sent. */
  override handleCommandComplete(message: unknown, connection: Connection): void {
    if (!this.#isDescribed) {
      const { fields, _parsers, _prebuiltEmptyResultObject } = this._result
      this.#descriptions.set(this.name, { fields, _parsers, _prebuiltEmptyResultObject })
    }
    super.handleCommandComplete(message, connection)
  }
}
