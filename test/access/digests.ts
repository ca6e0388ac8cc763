import { sql } from 'kysely'
import type { Sql } from '../../db/database.ts'
import { ownTables } from '../../db/entities.ts'

/** Tables in which the service counts calls in the background. */
const COUNTS = new Set(['usage_days', 'failed_calls'])

/**
 * Returns a digest of each table, to show that nothing was written. Ignores last-used times, counted audit events and counted
 * calls, which the service writes in the background.
 *
 * @param options `ignored`: the subdomain of a space whose rows are left out
 */
export const digestsOf = async (
  db: Sql,
  { ignored = '' }: { ignored?: string } = {},
): Promise<Record<string, string>> => {
  const ofTables = ownTables
    .filter(name => !COUNTS.has(name))
    .map(
      name => sql`
      select ${name} as name, coalesce(md5(string_agg(md5(rest::text), ',' order by md5(rest::text))), '') as digest
      from (select to_jsonb(t) - array['last_used_at', 'used_by_agent', 'agent_connected_at', 'agent_tools', 'agent_problem',
          'refused_at', 'last_seen_at'] as rest
        from ${sql.table(name)} as t) as all_rows
      where rest->>'subdomain' is distinct from ${ignored}
        and rest->>'space_id' is distinct from (select id from space_names where subdomain = ${ignored})
        and rest->>'bucket' is null`,
    )
  const { rows } = await sql<{
    name: string
    digest: string
  }>`${sql.join(ofTables, sql` union all `)}`.execute(db)
  return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]))
}
