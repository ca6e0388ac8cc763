import { flushCompileCache } from 'node:module'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { type LocatedDatabase, locateDatabase } from '../database/locate.ts'
import type { Settings } from '../settings/settings.ts'
import { VERSION } from '../version.ts'
import { releaseIdleMemory } from './idle-memory.ts'
import { type Assignment, reportReady, settingsOf, toldToStop } from './messages.ts'
import { unresolvedHosts, welcome } from './welcome.ts'

/** How long it takes to create the process of the embedded database, in ms. */
const SPAWN_TIME = 50

/**
 * Serves requests in this process until it is told to stop.
 *
 * @param assignment what a supervisor has told this process; null if there is none
 * @param onDatabaseDeath called with the reason if the embedded database has ended for good
 */
export const serve = async (
  given: Settings,
  log: Logger,
  assignment: Assignment | null,
  onDatabaseDeath: (reason: string) => void,
): Promise<void> => {
  const settings = assignment ? settingsOf(given, assignment.number) : given
  // Loaded on demand, because it needs Vite.
  const devServer = process.argv.includes('--dev-dashboard')
    ? await (await import('../../facades/admin/dev-server.ts')).startDevServer()
    : null
  // Load the rest of the program while the database starts. First wait until the database's process is created, because
  // loading blocks this thread.
  const database = assignment
    ? Promise.resolve<LocatedDatabase>({ location: assignment.database, stop: () => Promise.resolve() })
    : locateDatabase(settings, log, onDatabaseDeath)
  database.catch(() => {})
  await Promise.race([database, sleep(SPAWN_TIME)])
  const [{ startService }, { createSetUpLink }, { prepareDemo }, { findAccountByHandle }] = await Promise.all(
    [
      import('../start.ts'),
      import('../../routers/accounts/links/create.ts'),
      import('../demo/demo.ts'),
      import('../../db/queries/accounts.ts'),
    ],
  )
  const service = await startService(settings, log, { database, devDashboard: devServer?.handler })
  // Listen for signals at once: the service already responds, so a program may tell it to stop.
  const told = toldToStop()
  if (assignment?.first) {
    service.core.demo = assignment.first.demo
  } else {
    const demo = settings.demo ? await prepareDemo(service.core) : null
    service.core.demo = demo?.subdomain ?? null
    for (const handle of settings.operators)
      if (!(await findAccountByHandle(service.core.database, handle)))
        log.warn(
          `OPERATORS names "${handle}", but no account has this handle. Sign up with it, or correct it`,
        )
    const setUpLink = await createSetUpLink(service.core.database, service.core.addresses)
    process.stdout.write(
      welcome(settings, { demo, setUpLink, unresolved: await unresolvedHosts(settings, demo) }),
    )
  }
  log.info({ port: service.port, version: VERSION }, 'listening')
  reportReady({ demo: service.core.demo })
  releaseIdleMemory()
  // Write the compiled code now, so that it is kept even if the process is killed.
  flushCompileCache()

  log.info({ signal: await told }, 'stopping')
  await devServer?.stop()
  await service.stop()
  log.info('stopped')
}
