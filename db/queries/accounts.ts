import { sql } from 'kysely'
import type { Sql } from '../orm.ts'

/** The account with that handle, in any letter case. */
export const findAccountByHandle = (db: Sql, handle: string) =>
  db
    .selectFrom('accounts')
    .where(sql`lower(handle)`, '=', handle.toLowerCase())
    .select(['id', 'handle', 'password_hash'])
    .executeTakeFirst()
