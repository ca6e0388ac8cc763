import type { Database, Sql } from '../../../db/database.ts'
import { hasAccounts } from '../../../db/queries/accounts.ts'
import { deleteSetUpLinks, insertSignInLink, lockSetUp } from '../../../db/queries/sign-in.ts'
import { inTransaction } from '../../../db/transaction.ts'
import type { Addresses } from '../../api/addresses.ts'
import { newToken } from '../../api/browser-session.ts'
import { hashSecret } from '../../api/secret.ts'

/** Lifetime of a link, in ms. */
const LIFETIME = 30 * 60 * 1000

/**
 * Dashboard paths by purpose. The page at `link` serves two purposes, so it asks the service for the link's purpose
 * first.
 */
const PATHS = { sign_in: 'link', reset: 'link', set_up: 'set-up' } as const

const createLink = async (
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
  // Browsers do not send the fragment to servers.
  return `${apiRoot}/admin/${PATHS[purpose]}#${token}`
}

/**
 * Creates a one-time link that signs in to an account. It works for 30 minutes. The operator passes it on to the
 * person.
 *
 * @returns the URL, with the token in its fragment
 */
export const createSignInLink = (db: Sql, addresses: Addresses, accountId: string): Promise<string> =>
  createLink(db, addresses, 'sign_in', accountId)

/** Creates a one-time link with which a person can set a new password. It works for 30 minutes. */
export const createResetLink = (db: Sql, addresses: Addresses, accountId: string): Promise<string> =>
  createLink(db, addresses, 'reset', accountId)

/**
 * Creates the set-up link, with which a person creates the first account. The previous set-up link stops working.
 *
 * @returns null when an account already exists
 */
export const createSetUpLink = (database: Database, addresses: Addresses): Promise<string | null> =>
  inTransaction(database, async sql => {
    await lockSetUp(sql)
    await deleteSetUpLinks(sql)
    return (await hasAccounts(sql)) ? null : createLink(sql, addresses, 'set_up', null)
  })
