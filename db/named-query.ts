import pg, { type Connection, Query, type QueryResultRow } from 'pg'

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

/** The descriptions of the statements that a connection has run, by name. */
const descriptions = new WeakMap<Connection, Map<string, Description>>()

/** The messages `Execute` and `Sync`, which run the statement after `Bind` has set its values. */
const EXECUTE_AND_SYNC = Buffer.from([0x45, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0x53, 0, 0, 0, 4])

/**
 * A named statement with its values. The driver makes the server describe the result of every query. A named statement
 * always has the same columns (if they change, the server refuses to run it), so this class asks for the description
 * only once for each connection.
 */
export class NamedQuery<Row extends QueryResultRow> extends DriverQuery<Row> {
  #isDescribed = false

  constructor({ name, text, values }: { name: string; text: string; values: unknown[] }) {
    // Don't pass an object. The driver would copy it through its property descriptors, which takes 4 % of the time of
    // a read.
    super(text, values)
    this.name = name
  }

  override submit(connection: Connection): Error | null {
    const known = descriptions.get(connection)?.get(this.name)
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
    if (!this.#isDescribed) remember(connection, this.name, this._result)
    super.handleCommandComplete(message, connection)
  }
}

const remember = (
  connection: Connection,
  name: string,
  { fields, _parsers, _prebuiltEmptyResultObject }: Description,
): void => {
  const known = descriptions.get(connection) ?? new Map<string, Description>()
  known.set(name, { fields, _parsers, _prebuiltEmptyResultObject })
  descriptions.set(connection, known)
}
