import { OperatorError } from '../db/operator-error.ts'
import { masked } from './settings/schemas.ts'
import { type Settings, SettingsError } from './settings/settings.ts'

/** Error codes of PostgreSQL that mean that DATABASE_URL is wrong, with the way out. */
const DATABASE_FAULTS: Readonly<Record<string, string>> = {
  '28P01': 'Correct the user or the password.',
  '28000': 'Correct the user, or allow it in pg_hba.conf.',
  '3D000': 'Correct the name, or create the database: createdb NAME',
  '42501': 'Give the user the right to create tables in this database.',
  '53300': 'Raise max_connections of the server, or lower DATABASE_POOL.',
  ECONNREFUSED: 'Start the server, or correct the host and port.',
  ECONNRESET: 'Check that a PostgreSQL server listens there.',
  EAI_AGAIN: 'Correct the host.',
  EHOSTUNREACH: 'Correct the host.',
  ENETUNREACH: 'Correct the host.',
  ENOENT: 'Correct the folder of the socket.',
  ENOTFOUND: 'Correct the host.',
  ETIMEDOUT: 'Correct the host and port.',
}

/**
 * Explains why the service or a command cannot do its work. Returns undefined if the error was not expected.
 *
 * @param settings undefined if they could not be read
 */
export const explain = (error: unknown, settings: Settings | undefined): string | undefined => {
  if (error instanceof SettingsError) return `Invalid environment variables:\n${error.message}`
  if (error instanceof OperatorError) return error.message
  if (!(error instanceof Error)) return undefined
  if (error.name === 'AbortError') return 'Stopped. Nothing was written.'
  if (!settings || !('code' in error)) return undefined
  const { host, port, databaseUrl } = settings
  const code = String(error.code)
  const listens = 'syscall' in error && error.syscall === 'listen'
  if (listens && code === 'EADDRINUSE' && 'port' in error && error.port !== port)
    return `The port ${String(error.port)} in METRICS_PORT is in use by another program.`
  if (listens && code === 'EADDRINUSE')
    return `Port ${port} is in use by another program. Stop it, or choose another port, such as PORT=${port + 1}.`
  if (listens && code === 'EACCES')
    return `You don't have permission to use port ${port}. Choose one above 1023.`
  if (code === 'EADDRNOTAVAIL' || (code === 'ENOTFOUND' && 'hostname' in error && error.hostname === host))
    return `HOST should be an address of this machine, such as 127.0.0.1 or 0.0.0.0; it is "${host}".`
  if (code === 'EMFILE' || code === 'ENFILE')
    return 'Too many files are open. Raise the limit with ulimit -n, or LimitNOFILE in a unit file of systemd.'
  const advice = DATABASE_FAULTS[code]
  if (databaseUrl !== undefined && advice !== undefined)
    return `Cannot use the database at DATABASE_URL, "${masked(databaseUrl)}": ${error.message} (${code}). ${advice}`
  return undefined
}
