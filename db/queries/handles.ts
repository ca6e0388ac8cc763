import { sql } from 'kysely'
import { compileOnceRows } from '../compile-once.ts'
import type { Sql } from '../orm.ts'

const handlesOf = compileOnceRows((db, accountIds: string[]) => ({
  compile: () =>
    sql<{
      id: string
      handle: string
    }>`select id, handle from accounts where id = any(${accountIds}::text[])`.compile(db),
}))

/**
 * Adds to each row the handle of the row's account; null if the account was deleted. Runs a separate query, because the
 * rows and the accounts can be on different servers.
 */
export const withHandles = async <Row extends { account: string }>(
  db: Sql,
  rows: readonly Row[],
): Promise<(Row & { handle: string | null })[]> => {
  const ids = [...new Set(rows.map(({ account }) => account))]
  const found = ids.length === 0 ? [] : await handlesOf(db, ids)
  const handles = new Map(found.map(({ id, handle }) => [id, handle]))
  return rows.map(row => ({ ...row, handle: handles.get(row.account) ?? null }))
}
