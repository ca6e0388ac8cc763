import type { Logger } from 'pino'
import type { Checkup, Instance } from '../routers/api/context.ts'
import type { Settings } from './settings/settings.ts'
import type { FailedWorkLog } from './telemetry/failed-work.ts'
import type { Gauges } from './telemetry/metrics.ts'
import { VERSION } from './version.ts'

/** How long a check is shared after it has ended, in ms: it calls other servers. */
const SHARED_FOR = 10_000

/** What operators see of the installation, from the same gauges as the metrics. */
export const instanceOf = (
  settings: Settings,
  gauges: Gauges,
  failedWork: FailedWorkLog,
  log: Logger,
): Instance => {
  const startedAt = new Date(Date.now() - process.uptime() * 1000)
  let shared: Promise<Checkup> | undefined
  const check = async (): Promise<Checkup> => {
    // Loaded on demand, because it also restores backups.
    const { diagnoseSettings } = await import('./doctor/diagnose.ts')
    const findings = await diagnoseSettings(settings, process.env, log)
    return { at: new Date(), findings }
  }
  return {
    state: () => ({
      version: VERSION,
      startedAt,
      processes: settings.webConcurrency,
      memory: process.memoryUsage.rss(),
      connections: gauges.connections(),
      pool: gauges.pool(),
      evaluations: gauges.renderer(),
      freeDisk: gauges.freeDisk?.(),
      backups: gauges.backups,
      failedWork: failedWork.list,
    }),
    check: () =>
      (shared ??= check().finally(() => void setTimeout(() => (shared = undefined), SHARED_FOR).unref())),
  }
}
