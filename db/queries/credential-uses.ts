import { sql } from 'kysely'
import type { Sql } from '../orm.ts'

/** A use of a key or token. */
export interface CredentialUse {
  id: string
  at: Date
  /** Whether the use was a call to a tool server. */
  isByAgent: boolean
}

/**
 * The columns that a use updates, by table. Only keys record whether an agent used them. An id occurs in only one of
 * the tables, so each statement can receive all uses.
 */
const CHANGES = {
  space_keys: sql`last_used_at = used.at, used_by_agent = credential.used_by_agent or used.is_by_agent`,
  user_tokens: sql`last_used_at = used.at`,
}

/** Stores when keys and tokens were last used, with one statement per table. */
export const recordCredentialUses = async (db: Sql, uses: readonly CredentialUse[]) => {
  const rows = uses.map(
    ({ id, at, isByAgent }) => sql`(${id}::text, ${at}::timestamptz, ${isByAgent}::boolean)`,
  )
  for (const [table, changes] of Object.entries(CHANGES))
    await sql`
      update ${sql.table(table)} as credential set ${changes}
      from (values ${sql.join(rows)}) as used (id, at, is_by_agent)
      where credential.id = used.id`.execute(db)
}
