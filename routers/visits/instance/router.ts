import { z } from 'zod'
import {
  countInstance,
  findDatabaseSize,
  listBusiestSites,
  listFailingDomains,
  listFailingPages,
  listInstanceDays,
} from '../../../db/queries/instance.ts'
import { atOneMoment } from '../../../db/transaction.ts'
import type { ProcessState } from '../../api/context.ts'
import { limits } from '../../api/rules.ts'
import { asOperator } from '../../api/signed-in.ts'
import { router } from '../../api/trpc.ts'
import { dayOf } from '../store.ts'
import { Checkup, Overview } from './schema.ts'

const DAY = 24 * 60 * 60_000

const { instanceDays: DAYS, instanceListed: LISTED, instanceCounted: COUNTED } = limits

/** What operators see of the whole installation. */
export const instance = router({
  /** Figures from the database, which all processes write, and the state of the process that answers. */
  overview: asOperator
    .input(z.strictObject({}).optional())
    .output(Overview)
    .query(async ({ ctx: { core, session } }) => {
      const now = Date.now()
      const yesterday = dayOf(now - DAY)
      const found = await core.slowQueries.run(session.accountId, 1, () =>
        atOneMoment(core.database, async sql => ({
          counts: (await countInstance(sql, COUNTED, new Date(now)))!,
          days: await listInstanceDays(sql, dayOf(now - (DAYS - 1) * DAY)),
          busiest: await listBusiestSites(sql, dayOf(now), LISTED),
          failingPages: await listFailingPages(sql, yesterday, LISTED),
          failingDomains: await listFailingDomains(sql, LISTED),
          storage: (await findDatabaseSize(sql))!,
        })),
      )
      const { due_checks, reports, ...counts } = found.counts
      return {
        counts: { ...counts, open_reports: reports },
        days: found.days,
        counts_visits: core.visits !== null,
        busiest: found.busiest.map(({ subdomain, views }) => ({
          subdomain,
          url: core.addresses.site(subdomain),
          views,
        })),
        failing_pages: found.failingPages.map(({ subdomain, path, requests }) => ({
          subdomain,
          path,
          url: core.addresses.site(subdomain) + path,
          requests,
        })),
        failing_domains: found.failingDomains.map(({ name, subdomain, failing_since }) => ({
          domain: name,
          subdomain,
          since: failing_since!.toISOString(),
        })),
        due_domain_checks: due_checks,
        storage: found.storage,
        process: processOf(core.instance.state()),
      }
    }),

  /**
   * Checks the installation as `./space-site doctor` does. Takes up to half a minute, because it asks other servers.
   * Calls at the same time, and soon after each other, share one check.
   */
  check: asOperator
    .input(z.strictObject({}).optional())
    .output(Checkup)
    .query(async ({ ctx: { core } }) => {
      const { at, findings } = await core.instance.check()
      return {
        checked_at: at.toISOString(),
        findings: findings.map(finding => ({ ...finding, fix: finding.fix ?? null })),
      }
    }),
})

const processOf = ({
  startedAt,
  backups,
  failedWork,
  ...state
}: ProcessState): z.input<typeof Overview>['process'] => ({
  version: state.version,
  started_at: startedAt.toISOString(),
  processes: state.processes,
  memory: state.memory,
  connections: state.connections.open,
  refused_connections: state.connections.refused,
  database_connections: state.pool,
  evaluations: {
    open: state.evaluations.open,
    waiting: state.evaluations.waiting,
    cut_off: state.evaluations.cutOffs,
  },
  free_disk: state.freeDisk ?? null,
  backups: backups ? { newest_at: backups.newest?.toISOString() ?? null, failures: backups.failures } : null,
  failed_work: failedWork.map(({ what, times, latest }) => ({
    what,
    times,
    latest_at: latest.toISOString(),
  })),
})
