import { randomBytes } from 'node:crypto'
import { deleteGrant, lockGrant, renewGrant } from '../../../db/queries/oauth-grants.ts'
import { inTransaction } from '../../../db/transaction.ts'
import { hashSecret, hintOf } from '../../access/secret.ts'
import type { Core } from '../../core/context.ts'
import { OauthError } from './error.ts'
import { ACCESS_LIFETIME, IDLE_GRANT, REFRESH_GRACE } from './lifetimes.ts'
import { familyOf, pairAfter } from './secrets.ts'
import { type TokenAnswer, tokenAnswer } from './tokens.ts'

/**
 * Renews the secrets of a grant: the access token and the refresh token are replaced, and the old ones end. A client
 * that asks twice, because an answer was lost or two of its processes ask together, gets the same answer for a short
 * while. After that a used refresh token means that somebody has a copy, and the grant ends.
 *
 * @param scope what the client wants, if it says so; the grant's scopes stay as they are
 * @throws OauthError `invalid_grant`, `invalid_scope`
 */
export const refresh = async (
  core: Core,
  clientId: string,
  refreshToken: string,
  scope: string | undefined,
): Promise<TokenAnswer> => {
  const family = familyOf(refreshToken)
  const answer = family && (await renew(core, clientId, refreshToken, family, scope))
  if (!answer)
    throw new OauthError(
      'invalid_grant',
      'The refresh token is unknown, used or revoked; ask the person again',
    )
  return answer
}

const renew = (core: Core, clientId: string, refreshToken: string, family: string, scope = '') =>
  inTransaction(core.orm, async sql => {
    const grant = await lockGrant(sql, hashSecret(family))
    if (!grant || grant.client_id !== clientId) return null
    if (scope.split(' ').some(name => name !== '' && !grant.scopes.includes(name)))
      throw new OauthError('invalid_scope', `The person has granted ${grant.scopes.join(', ')} only`)

    const now = Date.now()
    const age = now - grant.refreshed_at.getTime()
    const hash = hashSecret(refreshToken)
    if (hash.equals(grant.refresh_hash) && age < IDLE_GRANT) {
      const salt = randomBytes(32)
      const pair = pairAfter(refreshToken, family, salt)
      await renewGrant(
        sql,
        grant.token_id,
        {
          secret_hash: hashSecret(pair.access),
          hint: hintOf(pair.access),
          expires_at: new Date(now + ACCESS_LIFETIME),
        },
        { refresh_hash: hashSecret(pair.refresh), used_hash: hash, salt, refreshed_at: new Date(now) },
      )
      return tokenAnswer(pair, ACCESS_LIFETIME, grant.scopes)
    }
    if (grant.used_hash && grant.salt && hash.equals(grant.used_hash) && age < REFRESH_GRACE)
      return tokenAnswer(
        pairAfter(refreshToken, family, Buffer.from(grant.salt)),
        ACCESS_LIFETIME - age,
        grant.scopes,
      )
    await deleteGrant(sql, grant.token_id)
    return null
  })
