/** The service on a database that the parent has filled, with the default settings except for the call limit. */

import { pino } from 'pino'
import { readSettings } from '../../../server/settings/settings.ts'
import { startService } from '../../../server/start.ts'
import { openLog } from '../../../server/telemetry/log.ts'
import { report } from './server.ts'

const settings = readSettings({
  DATABASE_URL: process.argv[2],
  CALLS_PER_MINUTE: '1000000',
  DASHBOARD_CALLS_PER_MINUTE: '1000000',
  RENDER_PROCESSES: '1',
})
// Format and write log lines as in production, but discard them.
const log = await openLog('info', { output: pino.destination({ dest: '/dev/null', sync: true }) })
const service = await startService(
  { ...settings, port: 0, creationLimits: { ...settings.creationLimits, pages: 1_000_000 } },
  log,
)
report({ port: service.port, key: '', pageId: '' }, () => service.stop())
