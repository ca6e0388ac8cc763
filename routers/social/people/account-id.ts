import type { Sql } from '../../../db/orm.ts'
import { findAccountByHandle } from '../../../db/queries/accounts.ts'
import { Problem } from '../../core/problem.ts'

/** Returns the id of the account with a handle. @throws `account_not_found` */
export const accountIdOf = async (sql: Sql, handle: string): Promise<string> => {
  const account = await findAccountByHandle(sql, handle)
  if (!account) throw new Problem('account_not_found', { detail: `Nobody has the handle ${handle}.` })
  return account.id
}
