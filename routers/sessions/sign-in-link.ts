import type { Sql } from '../../db/orm.ts'
import { insertSignInLink } from '../../db/queries/sessions.ts'
import { hashSecret } from '../access/secret.ts'
import { newToken } from '../access/session.ts'
import type { Addresses } from '../addresses.ts'

/** Milliseconds that a link opens for. */
const LIFETIME = 30 * 60 * 1000

/**
 * Makes a link that signs its bearer in, once, within half an hour. For the operator to hand over.
 *
 * @returns the address; the token is in its fragment, which browsers send to nobody
 */
export const makeSignInLink = async (db: Sql, addresses: Addresses, accountId: string): Promise<string> => {
  const token = newToken()
  await insertSignInLink(db, {
    token_hash: hashSecret(token),
    purpose: 'sign_in',
    account_id: accountId,
    expires_at: new Date(Date.now() + LIFETIME),
  })
  return `${addresses.apiRoot}/admin/sign-in#${token}`
}
