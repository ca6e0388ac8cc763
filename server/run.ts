/** Starts the service, and exits when it has stopped. */
import { EmbeddedPostgresError } from '../db/embedded/error.ts'
import { MissingFileStoreError } from '../db/file-store/error.ts'
import { domainWarnings } from './domain-warnings.ts'
import { openLog } from './log.ts'
import { receiveAssignment } from './processes/messages.ts'
import { readSettings, SettingsError } from './settings.ts'

/** Prints why the service cannot start and exits. */
const exitWith = (message: string): never => {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}

/** Explains the expected reasons for a failed start; undefined for any other error. */
const explain = (error: unknown, port: number): string | undefined => {
  if (error instanceof SettingsError) return `Invalid environment variables:\n${error.message}`
  if (error instanceof EmbeddedPostgresError || error instanceof MissingFileStoreError) return error.message
  if (!(error instanceof Error) || !('code' in error)) return undefined
  if (error.code === 'EADDRINUSE' && 'port' in error && error.port !== port)
    return `The port ${String(error.port)} in METRICS_PORT is in use by another program.`
  if (error.code === 'EADDRINUSE')
    return `Port ${port} is in use by another program. Stop it, or choose another port: PORT=${port + 1} npm start`
  if (error.code === 'EACCES') return `You don't have permission to use port ${port}. Choose one above 1023.`
  if (error.code === 'ECONNREFUSED' || error.code === 'ENOTFOUND')
    return `Cannot connect to the database at DATABASE_URL: ${error.message}`
  return undefined
}

const settings = (() => {
  try {
    return readSettings(process.env)
  } catch (error) {
    return exitWith(explain(error, 0) ?? String(error))
  }
})()
const assignment = await receiveAssignment()
const mainLog = await openLog(settings.logLevel, { mainHost: new URL(settings.apiRoot).host })
const log = assignment ? mainLog.child({ process: assignment.number }) : mainLog
// By default, Node.js would end the process, and with it all open requests.
process.on('unhandledRejection', error => log.error({ err: error }, 'Unhandled promise rejection'))
if (!assignment) for (const warning of await domainWarnings(settings)) log.warn(warning)

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
  const explanation = explain(error, settings.port)
  if (explanation === undefined) log.fatal({ err: error }, 'The service cannot start')
  exitWith(explanation ?? 'The service cannot start. See the error in the log above.')
}
