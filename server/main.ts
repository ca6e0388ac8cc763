/** Starts the service, says where it is, and stops it when it is told to. */
import { once } from 'node:events'
import { EmbeddedPostgresError } from '../db/embedded/error.ts'
import { makeSetUpLink } from '../routers/accounts/links/make.ts'
import { prepareDemo } from './demo/demo.ts'
import { domainWarnings } from './domain-warnings.ts'
import { openLog } from './log.ts'
import { readSettings, SettingsError } from './settings.ts'
import { startService } from './start.ts'
import { unresolvedHosts, welcome } from './welcome.ts'

/** Says what keeps the service from starting, and ends. */
const giveUp = (message: string): never => {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}

/** What a failed start means to whoever started it. */
const explain = (error: unknown, port: number): string | undefined => {
  if (error instanceof SettingsError) return `The environment is not right:\n${error.message}`
  if (error instanceof EmbeddedPostgresError) return error.message
  if (!(error instanceof Error) || !('code' in error)) return undefined
  if (error.code === 'EADDRINUSE')
    return `Port ${port} is taken by another program. Stop that one, or choose another port: PORT=${port + 1} npm start`
  if (error.code === 'EACCES') return `Port ${port} may not be used by this user: choose one above 1023.`
  if (error.code === 'ECONNREFUSED' || error.code === 'ENOTFOUND')
    return `The database at DATABASE_URL does not answer: ${error.message}`
  return undefined
}

const settings = (() => {
  try {
    return readSettings(process.env)
  } catch (error) {
    return giveUp(explain(error, 0) ?? String(error))
  }
})()
const log = openLog(settings.logLevel)
for (const warning of domainWarnings(settings)) log.warn(warning)

try {
  // Only `npm run dev` has what this needs; the built screen needs nothing.
  const live = process.argv.includes('--live-screen')
    ? await (await import('../facades/admin/dev-server.ts')).startDevServer()
    : null
  const onDatabaseDeath = (reason: string) => {
    log.fatal({ reason }, 'The database has ended')
    process.exit(1)
  }
  const service = await startService(settings, log, onDatabaseDeath, live?.door)
  const demo = settings.demo ? await prepareDemo(service.core) : null
  const setUpLink = await makeSetUpLink(service.core.orm, service.core.addresses)
  process.stdout.write(
    welcome(settings, { demo, setUpLink, unresolved: await unresolvedHosts(settings, demo) }),
  )
  log.info({ port: service.port }, 'listening')

  const signal = await Promise.race(['SIGINT', 'SIGTERM'].map(name => once(process, name).then(() => name)))
  // A second one ends the process at once, as it would have without us.
  for (const name of ['SIGINT', 'SIGTERM']) process.once(name, () => process.exit(1))
  log.info({ signal }, 'stopping')
  await live?.stop()
  await service.stop()
  log.info('stopped')
  process.exit(0)
} catch (error) {
  const explanation = explain(error, settings.port)
  if (explanation === undefined) log.fatal({ err: error }, 'The service cannot start')
  giveUp(explanation ?? 'The service cannot start; the log above says why.')
}
