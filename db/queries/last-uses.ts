import { sql } from 'kysely'
import type { Sql } from '../orm.ts'

/** Tables of credentials. No id is in more than one. */
const TABLES = ['space_keys', 'user_tokens'] as const

/** Stores when keys and tokens were last used, in one statement for each table. */
export const writeLastUses = async (db: Sql, uses: { id: string; at: Date }[]) => {
  const rows = uses.map(({ id, at }) => sql`(${id}::text, ${at}::timestamptz)`)
  for (const table of TABLES)
    await sql`
      update ${sql.table(table)} as credential set last_used_at = used.at
      from (values ${sql.join(rows)}) as used (id, at)
      where credential.id = used.id`.execute(db)
}
