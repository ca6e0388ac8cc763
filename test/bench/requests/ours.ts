/** The service with one space, one page and one key. */
import { pino } from 'pino'
import { findAccountByHandle } from '../../../db/queries/accounts.ts'
import { createCallerFactory } from '../../../routers/api/trpc.ts'
import { appRouter } from '../../../routers/index.ts'
import { actAs } from '../../../server/demo/act-as.ts'
import { readSettings } from '../../../server/settings/settings.ts'
import { startService } from '../../../server/start.ts'
import { report } from './server.ts'

const settings = readSettings({
  DATABASE_URL: process.argv[2],
  CALLS_PER_MINUTE: '1000000',
  SIGN_UP: 'open',
  RENDER_PROCESSES: '1',
})
const service = await startService({ ...settings, port: 0 }, pino({ level: 'silent' }))
const { core } = service
const anonymous = createCallerFactory(appRouter)({ core, actor: null })
await anonymous.accounts.signUp({ handle: 'bench', password: 'a password for it' })
const account = (await findAccountByHandle(core.database, 'bench'))!
const subdomain = 'bench'
const { key, pageId } = await actAs(core, account, async call => {
  await call.spaces.create({ subdomain, name: 'Bench' })
  const { id } = await call.pages.create({
    subdomain,
    slug: 'home',
    html: '<h1>{{ space.name }}</h1>'.repeat(40),
  })
  const { secret } = await call.keys.issue({
    subdomain,
    label: 'bench',
    scopes: ['pages', 'data'],
    expires_in_days: 30,
  })
  return { key: secret, pageId: id }
})
report({ port: service.port, key, pageId }, () => service.stop())
