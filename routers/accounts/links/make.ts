import type { Orm, Sql } from '../../../db/orm.ts'
import { hasAccounts } from '../../../db/queries/accounts.ts'
import { deleteSetUpLinks, insertSignInLink, lockSetUp } from '../../../db/queries/sign-in-links.ts'
import { inTransaction } from '../../../db/transaction.ts'
import { hashSecret } from '../../access/secret.ts'
import { newToken } from '../../access/session.ts'
import type { Addresses } from '../../core/addresses.ts'

/** Milliseconds that a link opens for. */
const LIFETIME = 30 * 60 * 1000

/** The screen's path for what a link is for. What a `link` does, the screen asks before it is used. */
const PATHS = { sign_in: 'link', reset: 'link', set_up: 'set-up' } as const

const makeLink = async (
  db: Sql,
  { apiRoot }: Addresses,
  purpose: keyof typeof PATHS,
  accountId: string | null,
): Promise<string> => {
  const token = newToken()
  const now = new Date()
  await insertSignInLink(
    db,
    {
      token_hash: hashSecret(token),
      purpose,
      account_id: accountId,
      expires_at: new Date(now.getTime() + LIFETIME),
    },
    now,
  )
  // In the fragment, which browsers send to nobody.
  return `${apiRoot}/admin/${PATHS[purpose]}#${token}`
}

/**
 * Makes a link that signs its bearer in, once, within half an hour. For the operator to hand over.
 *
 * @returns the address, with the token in its fragment
 */
export const makeSignInLink = (db: Sql, addresses: Addresses, accountId: string): Promise<string> =>
  makeLink(db, addresses, 'sign_in', accountId)

/** Makes a link by which its bearer sets a new password for an account, once, within half an hour. */
export const makeResetLink = (db: Sql, addresses: Addresses, accountId: string): Promise<string> =>
  makeLink(db, addresses, 'reset', accountId)

/**
 * Makes the link with which the first account is made, and ends the one before.
 *
 * @returns null when there is an account already
 */
export const makeSetUpLink = (orm: Orm, addresses: Addresses): Promise<string | null> =>
  inTransaction(orm, async sql => {
    await lockSetUp(sql)
    await deleteSetUpLinks(sql)
    return (await hasAccounts(sql)) ? null : makeLink(sql, addresses, 'set_up', null)
  })
