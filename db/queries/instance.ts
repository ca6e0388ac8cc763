/** What operators see of the whole installation. Every query reads a bounded part of the directory, and no content. */
import { sql } from 'kysely'
import { compileOnce, compileOnceRows } from '../compile-once.ts'

/** Counts rows up to a limit, so that a count never reads a whole large table. */
const countUpTo = (max: number, from: ReturnType<typeof sql>) =>
  sql<number>`(select count(*) from (select from ${from} limit ${max}) as counted)::int`

/** Numbers of accounts, spaces, open reports and domains, each at most `max`. */
export const countInstance = compileOnce((db, max: number, now: Date) => ({
  compile: () =>
    sql<{
      accounts: number
      suspended: number
      spaces: number
      reports: number
      verified_domains: number
      unverified_domains: number
      due_checks: number
    }>`select
      ${countUpTo(max, sql`accounts`)} as accounts,
      ${countUpTo(max, sql`accounts where suspended_at is not null`)} as suspended,
      ${countUpTo(max, sql`space_names`)} as spaces,
      ${countUpTo(max, sql`reports where dismissed_at is null`)} as reports,
      ${countUpTo(max, sql`domains where verified_at is not null`)} as verified_domains,
      ${countUpTo(max, sql`domains where verified_at is null`)} as unverified_domains,
      ${countUpTo(max, sql`domains where next_check_at <= ${now}`)} as due_checks`.compile(db),
}))

/** The domains that do not lead to this instance anymore, those that will be switched off first before the others. */
export const listFailingDomains = compileOnceRows((db, limit: number) =>
  db
    .selectFrom('domains')
    .innerJoin('space_names', 'space_names.id', 'domains.space_id')
    .where('domains.failing_since', 'is not', null)
    .orderBy('domains.failing_since')
    .orderBy('domains.name')
    .limit(limit)
    .select(['domains.name', 'domains.failing_since', 'space_names.subdomain']),
)

/** The visits of all sites and the calls of all keys and tokens by day, since a day of UTC. Leaves out days without any. */
export const listInstanceDays = compileOnceRows((db, since: string) => ({
  compile: () =>
    sql<{
      day: string
      views: number
      not_found: number
      failed_visits: number
      calls: number
      limited_calls: number
      failed_calls: number
    }>`
      select day::text, coalesce(views, 0) as views, coalesce(not_found, 0) as not_found,
        coalesce(failed_visits, 0) as failed_visits, coalesce(calls, 0) as calls,
        coalesce(limited_calls, 0) as limited_calls, coalesce(failed_calls, 0) as failed_calls
      from (
        select day, sum(views)::float8 as views, sum(not_found)::float8 as not_found, sum(failed)::float8 as failed_visits
        from visit_days where day >= ${since}::date group by day
      ) as visits full join (
        select day, sum(succeeded + refused + limited + failed)::float8 as calls, sum(limited)::float8 as limited_calls,
          sum(failed)::float8 as failed_calls
        from usage_days where day >= ${since}::date group by day
      ) as calls using (day)
      order by day`.compile(db),
}))

/** The sites that were read most often on a day of UTC. */
export const listBusiestSites = compileOnceRows((db, day: string, limit: number) =>
  db
    .selectFrom('visit_days')
    .innerJoin('space_names', 'space_names.id', 'visit_days.space_id')
    .where('visit_days.day', '=', sql<string>`${day}::date`)
    .where('visit_days.views', '>', 0)
    .orderBy('visit_days.views', 'desc')
    .orderBy('space_names.subdomain')
    .limit(limit)
    .select(['space_names.subdomain', 'visit_days.views']),
)

/** The pages that failed most often since a day of UTC: of the sites and days with the most failures. */
export const listFailingPages = compileOnceRows((db, since: string, limit: number) => ({
  compile: () =>
    sql<{ subdomain: string; path: string; requests: number }>`
      with failing as materialized (
        select space_id, day from visit_days where day >= ${since}::date and failed > 0
        order by failed desc, space_id, day limit ${limit}
      )
      select space.subdomain, counted.name as path, sum(counted.count)::float8 as requests
      from failing join visit_counts as counted using (space_id, day) join space_names as space on space.id = space_id
      where counted.kind = 'failed' and counted.name <> ''
      group by space.subdomain, counted.name
      order by requests desc, space.subdomain, counted.name limit ${limit}`.compile(db),
}))

/** The size of the database, and what files and the history take of it, in bytes. */
export const findDatabaseSize = compileOnce(db => ({
  compile: () =>
    sql<{ database: number; files: number; history: number }>`select
      pg_database_size(current_database())::float8 as database,
      pg_total_relation_size('blobs')::float8 as files,
      (pg_total_relation_size('changes') + pg_total_relation_size('writes'))::float8 as history`.compile(db),
}))
