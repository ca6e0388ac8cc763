/** Starts the service, prints its addresses, and stops it on SIGINT or SIGTERM. */
import { once } from 'node:events'
import { flushCompileCache } from 'node:module'
import { setTimeout as sleep } from 'node:timers/promises'
import { EmbeddedPostgresError } from '../db/embedded/error.ts'
import { domainWarnings } from './domain-warnings.ts'
import { releaseIdleMemory } from './idle-memory.ts'
import { locateDatabase } from './locate-database.ts'
import { openLog } from './log.ts'
import { readSettings, SettingsError } from './settings.ts'
import { unresolvedHosts, welcome } from './welcome.ts'

/** How long it takes to create the process of the embedded database, in ms. */
const SPAWN_TIME = 50

/** Prints why the service cannot start and exits. */
const exitWith = (message: string): never => {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}

/** Explains the expected reasons for a failed start; undefined for any other error. */
const explain = (error: unknown, port: number): string | undefined => {
  if (error instanceof SettingsError) return `Invalid environment variables:\n${error.message}`
  if (error instanceof EmbeddedPostgresError) return error.message
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
const log = openLog(settings.logLevel, { mainHost: new URL(settings.apiRoot).host })
for (const warning of domainWarnings(settings)) log.warn(warning)

try {
  // Loaded on demand, because it needs Vite.
  const devServer = process.argv.includes('--dev-dashboard')
    ? await (await import('../facades/admin/dev-server.ts')).startDevServer()
    : null
  const onDatabaseDeath = (reason: string) => {
    log.fatal({ reason }, 'The database has ended unexpectedly')
    process.exit(1)
  }
  // Load the rest of the program while the database starts. First wait until the database's process is created, because
  // loading blocks this thread.
  const database = locateDatabase(settings, log, onDatabaseDeath)
  database.catch(() => {})
  await Promise.race([database, sleep(SPAWN_TIME)])
  const [{ startService }, { createSetUpLink }, { prepareDemo }] = await Promise.all([
    import('./start.ts'),
    import('../routers/accounts/links/create.ts'),
    import('./demo/demo.ts'),
  ])
  const service = await startService(settings, log, { database, devDashboard: devServer?.handler })
  const demo = settings.demo ? await prepareDemo(service.core) : null
  service.core.demo = demo?.subdomain ?? null
  const setUpLink = await createSetUpLink(service.core.orm, service.core.addresses)
  // Listen for signals before printing anything: a program that reads the output can stop the service at once.
  const stopSignal = Promise.race(['SIGINT', 'SIGTERM'].map(name => once(process, name).then(() => name)))
  process.stdout.write(
    welcome(settings, { demo, setUpLink, unresolved: await unresolvedHosts(settings, demo) }),
  )
  log.info({ port: service.port }, 'listening')
  releaseIdleMemory()
  // Write the compiled code now, so that it is kept even if the process is killed.
  flushCompileCache()

  const signal = await stopSignal
  // A second signal ends the process at once.
  for (const name of ['SIGINT', 'SIGTERM']) process.once(name, () => process.exit(1))
  log.info({ signal }, 'stopping')
  await devServer?.stop()
  await service.stop()
  log.info('stopped')
  process.exit(0)
} catch (error) {
  const explanation = explain(error, settings.port)
  if (explanation === undefined) log.fatal({ err: error }, 'The service cannot start')
  exitWith(explanation ?? 'The service cannot start. See the error in the log above.')
}
