import type { Orm, Sql } from './orm.ts'
import { lockAccount } from './queries/accounts.ts'
import { lockMembership, lockSpace } from './queries/spaces.ts'
import { WriteQueue } from './queue.ts'
import { inTransaction } from './transaction.ts'

/** The row that a write had to lock no longer exists. */
export class MissingRowError extends Error {
  override name = 'MissingRowError'
  readonly table: 'spaces' | 'accounts'

  constructor(table: 'spaces' | 'accounts') {
    super(`The row of ${table} to lock no longer exists`)
    this.table = table
  }
}

type Work<T> = (sql: Sql) => Promise<T>

/** Writers of this process, by the row that they lock. */
const queue = new WriteQueue()

/**
 * Runs a write to a site's content in one transaction, which locks the space and increments its revision.
 *
 * @throws MissingRowError when the space was deleted
 */
export const withSpaceLocked = <T>(orm: Orm, spaceId: string, work: Work<T>): Promise<T> =>
  queue.run(spaceId, () =>
    inTransaction(orm, async sql => {
      if (!(await lockSpace(sql, spaceId))) throw new MissingRowError('spaces')
      return work(sql)
    }),
  )

/**
 * Runs a write to a space's participants, keys or invitations in one transaction, which locks the space without
 * changing its revision.
 *
 * @throws MissingRowError when the space was deleted
 */
export const withMembershipLocked = <T>(orm: Orm, spaceId: string, work: Work<T>): Promise<T> =>
  queue.run(spaceId, () =>
    inTransaction(orm, async sql => {
      if (!(await lockMembership(sql, spaceId))) throw new MissingRowError('spaces')
      return work(sql)
    }),
  )

/**
 * Runs a write to what one account owns by itself (profile, tokens, passkeys, sessions) in one transaction, which locks
 * the account.
 *
 * @throws MissingRowError when the account was deleted
 */
export const withAccountLocked = <T>(orm: Orm, accountId: string, work: Work<T>): Promise<T> =>
  queue.run(accountId, () =>
    inTransaction(orm, async sql => {
      if (!(await lockAccount(sql, accountId))) throw new MissingRowError('accounts')
      return work(sql)
    }),
  )
