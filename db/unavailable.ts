/**
 * PostgreSQL's codes for a server that cannot work at the moment: connections refused or cut, shutting down or
 * starting up, too many connections, disk or memory full, a statement over its time limit, and a deadlock or a lost
 * serialization that retries did not end.
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

/** System calls that a socket to the database can fail with. */
const SYSTEM_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOENT',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])

/** The driver gives no code to the failures it finds itself. */
const DRIVER_MESSAGE =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client (has encountered a connection error|was closed) and is not queryable|Cannot use a pool after calling end)/

/** Whether an error means that the database cannot answer now and that the same call may succeed later. */
export const isDatabaseUnavailable = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  if (SQLSTATES.has(code)) return true
  // `connect` and socket errors name their system call; other code of ours can meet ENOENT too.
  if (SYSTEM_CODES.has(code)) return 'syscall' in error
  return DRIVER_MESSAGE.test(error.message)
}
