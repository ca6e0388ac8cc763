/**
 * PostgreSQL's codes for a server that is temporarily unavailable: connection refused or closed, shutting down or
 * starting up, too many connections, out of disk space or memory, statement timeout, and a deadlock or serialization
 * failure that persisted through all retries.
 */
const SQLSTATES = new Set([
  '08000',
  '08001',
  '08003',
  '08004',
  '08006',
  '25006',
  '40001',
  '40P01',
  '53000',
  '53100',
  '53200',
  '53300',
  '53400',
  '57014',
  '57P01',
  '57P02',
  '57P03',
  '58030',
])

/**
 * Error codes of a socket to the database, by system call. The call matters, because errors of files have the same
 * codes.
 */
const SOCKET_CODES: Record<string, readonly string[]> = {
  connect: ['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'EAGAIN'],
  getaddrinfo: ['ENOTFOUND', 'EAI_AGAIN'],
  read: ['ECONNRESET', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'],
  write: ['EPIPE', 'ECONNRESET', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'],
}

/** Messages of the driver's own errors, which have no code. */
const DRIVER_MESSAGE =
  /^(Connection terminated|timeout expired$|timeout exceeded when trying to connect|Query read timeout|Client (has encountered a connection error|was closed) and is not queryable|Cannot use a pool after calling end)/

/** Whether an error means that the database is unavailable now and a retry may succeed. */
export const isDatabaseUnavailable = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false
  if (error instanceof DatabaseBusyError || error instanceof DatabaseDownError) return true
  const code = 'code' in error ? String(error.code) : ''
  if (SQLSTATES.has(code)) return true
  if ('syscall' in error) return SOCKET_CODES[String(error.syscall)]?.includes(code) ?? false
  return DRIVER_MESSAGE.test(error.message)
}

/** Whether an error means that the database works, but one of its content servers does not. */
export const isContentServerAway = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  error.code === '08006' &&
  /^(connection to the remote node|could not establish any connections to the node) /.test(error.message)

/** Whether a connection or query took longer than the driver's timeout. */
export const isDatabaseTimeout = (error: unknown): boolean =>
  error instanceof Error &&
  /^(timeout expired|Query read timeout|Connection terminated due to connection timeout)$/.test(error.message)

/** The database is known to be down, so no connection was attempted. */
export class DatabaseDownError extends Error {
  override name = 'DatabaseDownError'

  constructor() {
    super('The database does not respond.')
  }
}

/** Too many writes to the same row are waiting; the same call may succeed later. */
export class DatabaseBusyError extends Error {
  override name = 'DatabaseBusyError'

  constructor() {
    super('Too many writes are waiting.')
  }
}

/** PostgreSQL's codes for a violated unique constraint, foreign key and check. */
const VIOLATIONS = new Set<unknown>(['23505', '23503', '23514'])

/** The last name in quotation marks in a message. In PostgreSQL's messages, the constraint comes after its table. */
const QUOTED = /"([^"]+)"[^"]*$/

/** The number at the end of a constraint's name in a shard of a distributed table, or in a partition. */
const SHARD = /_\d+$/

/**
 * Returns the name of the unique constraint, foreign key or check that a statement violated, or undefined for any other
 * error. Works for errors of the driver and of the ORM. If the violation was found in a shard, the returned name does
 * not have the number of the shard at its end. Errors from another server may have the name only in their message, in
 * quotation marks.
 */
export const violatedConstraint = (error: unknown): string | undefined => {
  if (!(error instanceof Error && 'code' in error && VIOLATIONS.has(error.code))) return undefined
  const given = 'constraint' in error ? error.constraint : undefined
  const name = typeof given === 'string' ? given : QUOTED.exec(error.message)?.[1]
  return name?.replace(SHARD, '')
}
