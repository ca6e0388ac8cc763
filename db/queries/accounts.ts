import { type Insertable, sql } from 'kysely'
import { compileOnce } from '../compile-once.ts'
import type { Sql, Tables } from '../orm.ts'

/**
 * Inserts an account.
 *
 * @throws a violation of `accounts_handle_unique` when the handle is taken
 */
export const insertAccount = (db: Sql, account: Insertable<Tables['accounts']>) =>
  db.insertInto('accounts').values(account).execute()

/** Whether any account exists. */
export const hasAccounts = async (db: Sql): Promise<boolean> =>
  (await db.selectFrom('accounts').select('id').limit(1).executeTakeFirst()) !== undefined

export const findAccount = (db: Sql, id: string) =>
  db
    .selectFrom('accounts')
    .where('id', '=', id)
    .select(['handle', 'password_hash', 'suspended_at', 'suspension_reason'])
    .executeTakeFirst()

/** The account with this handle, ignoring case. */
export const findAccountByHandle = (db: Sql, handle: string) =>
  db
    .selectFrom('accounts')
    .where(sql`lower(handle)`, '=', handle.toLowerCase())
    .select(['id', 'handle', 'password_hash'])
    .executeTakeFirst()

/** An account's password hash, null for an account without a password; undefined when the account is deleted. */
export const findPasswordHash = (db: Sql, accountId: string) =>
  db.selectFrom('accounts').where('id', '=', accountId).select('password_hash').executeTakeFirst()

export const updatePasswordHash = (db: Sql, accountId: string, passwordHash: string) =>
  db.updateTable('accounts').set({ password_hash: passwordHash }).where('id', '=', accountId).execute()

/** An account's profile. */
export const findProfile = compileOnce((db, accountId: string) =>
  db
    .selectFrom('accounts as account')
    .leftJoin('icons as icon', 'icon.account_id', 'account.id')
    .where('account.id', '=', accountId)
    .select([
      'account.handle as handle',
      'account.display_name as display_name',
      'account.bio as bio',
      'icon.id as icon_id',
    ]),
)

/**
 * Updates the given fields of a profile.
 *
 * @throws a violation of `accounts_handle_unique`
 */
export const updateProfile = (
  db: Sql,
  accountId: string,
  change: { handle?: string; display_name?: string | null; bio?: string | null },
) => db.updateTable('accounts').set(change).where('id', '=', accountId).execute()

/**
 * Locks an account for a write to its own data, such as its profile, tokens or sessions.
 *
 * @returns whether the account still exists
 */
export const lockAccount = async (db: Sql, accountId: string): Promise<boolean> =>
  (await lockRow(db, accountId)) !== undefined

const lockRow = compileOnce((db, accountId: string) =>
  db.selectFrom('accounts').where('id', '=', accountId).select('id').forNoKeyUpdate(),
)
