/** The service with an ordinary site and hostile pages, for `test/bench/hostile.ts`. */
import { pino } from 'pino'
import { findAccountByHandle } from '../../../db/queries/accounts.ts'
import { actAs } from '../../../server/demo/act-as.ts'
import { prepareDemo } from '../../../server/demo/demo.ts'
import { DEMO_HANDLE } from '../../../server/demo/site.ts'
import { readSettings } from '../../../server/settings/settings.ts'
import { startService } from '../../../server/start.ts'
import { HOSTILE } from '../../liquid/hostile-templates.ts'

/** The message sent to the parent process once the service is ready. */
export interface HostileReady {
  subdomain: string
  key: string
  pageId: string
  /** Hostile pages with their hosts. */
  pages: { name: string; host: string }[]
}

/**
 * Every twelfth template without a `trial`, up to six. `HOSTILE` is ordered by the kind of attack, so the chosen
 * templates cover most kinds.
 */
const chosen = HOSTILE.filter(({ trial }) => !trial)
  .filter((_, index) => index % 12 === 0)
  .slice(0, 6)

const [port, databaseUrl] = process.argv.slice(2)
const settings = readSettings({
  PORT: port,
  DATABASE_URL: databaseUrl,
  CALLS_PER_MINUTE: '1000000',
  RENDER_PROCESSES: '2',
})
const service = await startService(settings, pino({ level: 'silent' }))
const demo = (await prepareDemo(service.core))!
const { core } = service
const account = (await findAccountByHandle(core.database, DEMO_HANDLE))!
const pages: HostileReady['pages'] = []
const listed = await actAs(core, account, async call => {
  // Each hostile page is in a space of its own.
  for (const [index, { attempt, html }] of chosen.entries()) {
    const subdomain = `hostile-${index}`
    await call.spaces.create({ subdomain, name: attempt.slice(0, 60) })
    const { id } = await call.pages.create({ subdomain, slug: 'page', html })
    pages.push({ name: attempt, host: `${id}.pages.localhost` })
  }
  return (await call.pages.list({ subdomain: demo.subdomain })).data
})
const ready: HostileReady = {
  subdomain: demo.subdomain,
  key: demo.key ?? '',
  pageId: listed[0]!.id,
  pages,
}
process.send?.(ready)
// The parent asks for a garbage collection before it measures, so that only memory in use counts.
process.on('message', () => process.send?.({ collected: gc?.() }))
process.once('SIGTERM', () => {
  void service.stop().then(() => process.exit(0))
})
