import type { Client } from 'pg'
import type { Statement } from './statements.ts'

/** A node of a plan, as `EXPLAIN` returns it. */
export interface Plan {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows'?: number
  'Actual Loops'?: number
  'Rows Removed by Filter'?: number
  Plans?: Plan[]
}

/** Whether `EXPLAIN` accepts a statement. */
export const isPlanned = ({ text }: Statement): boolean =>
  /^\s*(select|insert|update|delete|with)\b/i.test(text)

/**
 * Returns the plan of a statement. Runs the statement again for this, and rolls its changes back. An insert is planned
 * but not run, because a second run would violate a unique constraint, so its plan has no row counts. The same is true of
 * the claim of an `Idempotency-Key`.
 */
export const explain = async (client: Client, { text, values }: Statement): Promise<Plan> => {
  const analyze = !/^\s*insert\b|pg_try_advisory_xact_lock/i.test(text)
  await client.query('begin')
  try {
    // Without triggers: the history refuses changes that do not belong to a write of the same transaction.
    await client.query('set local session_replication_role = replica')
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      `explain (analyze ${analyze}, format json) ${text}`,
      values,
    )
    return rows[0]!['QUERY PLAN'][0].Plan
  } finally {
    await client.query('rollback')
  }
}

/** Returns the plans of all statements that have one. */
export const plansOf = async (client: Client, statements: readonly Statement[]): Promise<Plan[]> => {
  const plans: Plan[] = []
  for (const statement of statements.filter(isPlanned)) plans.push(await explain(client, statement))
  return plans
}

export const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

/** Returns how many rows a plan reads from tables and indexes, including rows that filters discard. */
export const rowsRead = (plan: Plan): number =>
  nodesOf(plan)
    // Leave out bitmap index scans: the heap scan above them reads the same rows.
    .filter(({ 'Node Type': type }) => type.includes('Scan') && type !== 'Bitmap Index Scan')
    .reduce(
      (sum, node) =>
        sum +
        (node['Actual Loops'] ?? 0) * ((node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0)),
      0,
    )
