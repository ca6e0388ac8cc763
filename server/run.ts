/** Starts the service, and exits when it has stopped. */
import { explain } from './explain.ts'
import { receiveAssignment } from './processes/messages.ts'
import { readSettings, type Settings, SettingsError } from './settings/settings.ts'
import {
  domainWarnings,
  openFilesLimit,
  startFaults,
  startNotes,
  startWarnings,
} from './settings/start-checks.ts'
import { openLog } from './telemetry/log.ts'

/** Prints why the service cannot start and exits. */
const exitWith = (message: string): never => {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}

const settings = ((): Settings => {
  try {
    return readSettings(process.env)
  } catch (error) {
    return exitWith(explain(error, undefined) ?? String(error))
  }
})()
const assignment = await receiveAssignment()
const mainLog = await openLog(settings.logLevel, { mainHost: new URL(settings.apiRoot).host })
const openFiles = assignment ? undefined : openFilesLimit()
const faults = assignment ? [] : await startFaults(settings, process.env, openFiles)
if (faults.length > 0) exitWith(explain(new SettingsError(faults.join('\n')), settings)!)
const log = assignment ? mainLog.child({ process: assignment.number }) : mainLog
// By default, Node.js would end the process, and with it all open requests.
process.on('unhandledRejection', error => log.error({ err: error }, 'Unhandled promise rejection'))
if (!assignment) {
  for (const note of startNotes(process.env)) log.info(note)
  for (const warning of [...startWarnings(settings, openFiles), ...(await domainWarnings(settings))])
    log.warn(warning)
}

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
  const { serve } = await import('./processes/serve.ts')
  await serve(settings, log, assignment, onDatabaseDeath)
  process.exit(0)
} catch (error) {
  const explanation = explain(error, settings)
  if (explanation === undefined) log.fatal({ err: error }, 'The service cannot start')
  exitWith(explanation ?? 'The service cannot start. See the error in the log above.')
}
