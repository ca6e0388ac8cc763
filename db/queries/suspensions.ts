import { type SqlBool, sql } from 'kysely'
import type { Sql } from '../database.ts'

/**
 * Returns a condition that is true if the account whose id is in the column is not suspended. A statement with this
 * condition reads the ids of all suspended accounts once, from a partial index. Few accounts are suspended, so this is
 * fast.
 */
export const isActive = (column: string) =>
  sql<SqlBool>`${sql.ref(column)} not in (select id from accounts where suspended_at is not null)`

/** Suspends an account, or replaces the reason of its suspension. */
export const suspendAccount = (db: Sql, accountId: string, reason: string, now: Date) =>
  db
    .updateTable('accounts')
    .set({
      suspended_at: sql<Date>`coalesce(suspended_at, ${now}::timestamptz(3))`,
      suspension_reason: reason,
    })
    .where('id', '=', accountId)
    .execute()

/** Lifts the suspension of an account. @returns whether it was suspended */
export const liftSuspension = async (db: Sql, accountId: string): Promise<boolean> =>
  (await db
    .updateTable('accounts')
    .set({ suspended_at: null, suspension_reason: null })
    .where('id', '=', accountId)
    .where('suspended_at', 'is not', null)
    .returning('id')
    .executeTakeFirst()) !== undefined

/** The suspended account after which the next page starts. */
export interface SuspendedCursor {
  at: Date
  id: string
}

/** One page of the suspended accounts, last suspended first. */
export const listSuspended = (db: Sql, after: SuspendedCursor | null, limit: number) =>
  db
    .selectFrom('accounts as account')
    .leftJoin('icons as icon', 'icon.account_id', 'account.id')
    .where('account.suspended_at', 'is not', null)
    .$if(after !== null, query =>
      query.where(
        sql<boolean>`(account.suspended_at, account.id) < (${after?.at}::timestamptz, ${after?.id})`,
      ),
    )
    .select([
      'account.id as id',
      'account.handle as handle',
      'account.display_name as display_name',
      'icon.id as icon_id',
      sql<Date>`account.suspended_at`.as('suspended_at'),
      sql<string>`account.suspension_reason`.as('reason'),
    ])
    .orderBy('account.suspended_at', 'desc')
    .orderBy('account.id', 'desc')
    .limit(limit)
    .execute()
