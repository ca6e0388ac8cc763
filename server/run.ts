/** Starts the service, and exits when it has stopped. */
import { EmbeddedPostgresError } from '../db/embedded/error.ts'
import { MissingFileStoreError } from '../db/file-store/error.ts'
import { domainWarnings } from './domain-warnings.ts'
import { openLog } from './log.ts'
import { receiveAssignment } from './processes/messages.ts'
import { readSettings, type Settings, SettingsError } from './settings.ts'
import { openFilesLimit, startFaults, startWarnings } from './start-checks.ts'
import { masked } from './variable-schemas.ts'

/** Prints why the service cannot start and exits. */
const exitWith = (message: string): never => {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}

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

/** Explains the expected reasons for a failed start; undefined for any other error. */
const explain = (error: unknown, { host, port, databaseUrl }: Settings): string | undefined => {
  if (error instanceof EmbeddedPostgresError || error instanceof MissingFileStoreError) return error.message
  if (!(error instanceof Error) || !('code' in error)) return undefined
  const code = String(error.code)
  const listens = 'syscall' in error && error.syscall === 'listen'
  if (listens && code === 'EADDRINUSE' && 'port' in error && error.port !== port)
    return `The port ${String(error.port)} in METRICS_PORT is in use by another program.`
  if (listens && code === 'EADDRINUSE')
    return `Port ${port} is in use by another program. Stop it, or choose another port: PORT=${port + 1} npm start`
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

const refuse = (faults: readonly string[]) => exitWith(`Invalid environment variables:\n${faults.join('\n')}`)

const settings = (() => {
  try {
    return readSettings(process.env)
  } catch (error) {
    return error instanceof SettingsError ? refuse([error.message]) : exitWith(String(error))
  }
})()
const assignment = await receiveAssignment()
const mainLog = await openLog(settings.logLevel, { mainHost: new URL(settings.apiRoot).host })
const openFiles = assignment ? undefined : openFilesLimit()
const faults = assignment ? [] : await startFaults(settings, process.env, openFiles)
if (faults.length > 0) refuse(faults)
const log = assignment ? mainLog.child({ process: assignment.number }) : mainLog
// By default, Node.js would end the process, and with it all open requests.
process.on('unhandledRejection', error => log.error({ err: error }, 'Unhandled promise rejection'))
if (!assignment)
  for (const warning of [...startWarnings(settings, openFiles), ...(await domainWarnings(settings))])
    log.warn(warning)

// By default, this signal would end the process. If there is a supervisor, it reacts to the signal.
process.on('SIGUSR2', () => {
  if (!assignment && !isSupervisor) log.warn('SIGUSR2 restarts processes only if WEB_CONCURRENCY is above 1')
})

const onDatabaseDeath = (reason: string) => {
  log.fatal({ reason }, 'The database has ended unexpectedly')
  process.exit(1)
}

/** Whether this process only starts other processes. With `--dev-dashboard`, this process serves all requests. */
const isSupervisor =
  assignment === null && settings.webConcurrency > 1 && !process.argv.includes('--dev-dashboard')

try {
  if (isSupervisor) {
    const { superviseProcesses } = await import('./processes/supervise.ts')
    process.exit(await superviseProcesses(settings, log, onDatabaseDeath))
  }
  const { serve } = await import('./serve.ts')
  await serve(settings, log, assignment, onDatabaseDeath)
  process.exit(0)
} catch (error) {
  const explanation = explain(error, settings)
  if (explanation === undefined) log.fatal({ err: error }, 'The service cannot start')
  exitWith(explanation ?? 'The service cannot start. See the error in the log above.')
}
