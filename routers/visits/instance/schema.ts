import { z } from 'zod'
import { timestamp } from '../../api/fields.ts'

const count = z.int()
const bytes = z.number()

export const Overview = z.object({
  /** Numbers are at most `limits.instanceCounted`; the real one can then be higher. */
  counts: z.object({
    accounts: count,
    suspended: count,
    spaces: count,
    open_reports: count,
    verified_domains: count,
    unverified_domains: count,
  }),
  /** Days of UTC. All processes write their figures every few seconds. */
  days: z.array(
    z.object({
      day: z.string(),
      views: count,
      not_found: count,
      failed_visits: count,
      calls: count,
      limited_calls: count,
      failed_calls: count,
    }),
  ),
  /** Whether visits are counted. */
  counts_visits: z.boolean(),
  /** The sites that were read most often today. */
  busiest: z.array(z.object({ subdomain: z.string(), url: z.string(), views: count })),
  /** The pages that failed most often since yesterday. */
  failing_pages: z.array(
    z.object({ subdomain: z.string(), url: z.string(), path: z.string(), requests: count }),
  ),
  /** The domains that do not lead here anymore. */
  failing_domains: z.array(z.object({ domain: z.string(), subdomain: z.string(), since: timestamp })),
  /** Checks of domains that are due. */
  due_domain_checks: count,
  storage: z.object({ database: bytes, files: bytes, history: bytes }),
  /** The process that answered. */
  process: z.object({
    version: z.string(),
    started_at: timestamp,
    /** How many processes serve requests. */
    processes: count,
    memory: bytes,
    connections: count,
    refused_connections: count,
    database_connections: z.object({ used: count, idle: count, waiting: count }),
    evaluations: z.object({ open: count, waiting: count, cut_off: count }),
    /** Free space on the disk of the embedded database; null with another database. */
    free_disk: bytes.nullable(),
    /** Scheduled backups; null if this process writes none. */
    backups: z.object({ newest_at: timestamp.nullable(), failures: count }).nullable(),
    /** Work in the background that has failed since the start. */
    failed_work: z.array(z.object({ what: z.string(), times: count, latest_at: timestamp })),
  }),
})

export const Checkup = z.object({
  checked_at: timestamp,
  findings: z.array(
    z.object({
      /** What was checked. */
      check: z.string(),
      state: z.enum(['good', 'warning', 'fault']),
      found: z.string(),
      /** What to do; null if nothing is wrong. */
      fix: z.string().nullable(),
    }),
  ),
})
