import { randomBytes } from 'node:crypto'
import { deleteGrant, lockGrant, renewGrant } from '../../../db/queries/oauth.ts'
import { inTransaction } from '../../../db/transaction.ts'
import type { Core } from '../../api/context.ts'
import { hashSecret, hintOf } from '../../api/secret.ts'
import { ACCESS_LIFETIME, IDLE_GRANT, REFRESH_GRACE } from '../expiry.ts'
import { recordEnded } from '../record-ended.ts'
import { includes, type ResourceName } from './addresses.ts'
import { OauthError } from './error.ts'
import { familyOf, pairAfter, type TokenResponse, tokenResponse } from './secrets.ts'

/**
 * Replaces the access token and the refresh token of a grant. A client that repeats the request, because a response was
 * lost or two of its processes refresh at once, gets the same tokens for a short time. A used refresh token that
 * arrives later must have leaked, so it ends the grant.
 *
 * @param limits `scope` of the request, and the resource that it names; they must not exceed the grant, and are otherwise ignored
 * @throws OauthError `invalid_grant`, `invalid_scope`, `invalid_target`
 */
export const refresh = async (
  core: Core,
  clientId: string,
  refreshToken: string,
  { scope, server }: { scope: string | undefined; server: ResourceName | undefined },
): Promise<TokenResponse> => {
  const family = familyOf(refreshToken)
  const answer = family && (await renew(core, clientId, refreshToken, family, scope, server))
  if (!answer)
    throw new OauthError(
      'invalid_grant',
      'The refresh token is unknown, used or revoked. Ask the person to connect again',
    )
  return answer
}

const renew = (
  core: Core,
  clientId: string,
  refreshToken: string,
  family: string,
  scope = '',
  server?: ResourceName,
) =>
  inTransaction(core.database, async sql => {
    const grant = await lockGrant(sql, hashSecret(family))
    if (!grant || grant.client_id !== clientId) return null
    const { kind } = grant.granted
    const { resource } = grant
    // The client was connected before resources were stored. It has to be connected again.
    if (resource === null) return null
    if (server !== undefined && !includes({ kind, resource }, server))
      throw new OauthError('invalid_target', 'The grant is for another resource')
    if (scope.split(' ').some(name => name !== '' && !grant.scopes.includes(name)))
      throw new OauthError('invalid_scope', `Only these scopes were granted: ${grant.scopes.join(', ')}`)

    const now = Date.now()
    const age = now - grant.refreshed_at.getTime()
    const hash = hashSecret(refreshToken)
    if (hash.equals(grant.refresh_hash) && age < IDLE_GRANT) {
      const salt = randomBytes(32)
      const pair = pairAfter(kind, refreshToken, family, salt)
      await renewGrant(
        sql,
        grant.granted,
        {
          secret_hash: hashSecret(pair.access),
          hint: hintOf(pair.access),
          expires_at: new Date(now + ACCESS_LIFETIME),
        },
        { refresh_hash: hashSecret(pair.refresh), used_hash: hash, salt, refreshed_at: new Date(now) },
      )
      return tokenResponse(pair, ACCESS_LIFETIME, grant.scopes)
    }
    if (grant.used_hash && grant.salt && hash.equals(grant.used_hash) && age < REFRESH_GRACE)
      return tokenResponse(
        pairAfter(kind, refreshToken, family, Buffer.from(grant.salt)),
        ACCESS_LIFETIME - age,
        grant.scopes,
      )
    const ended = await deleteGrant(sql, grant.granted)
    await recordEnded(sql, ended, hash.equals(grant.refresh_hash) ? 'unused' : 'refresh_reused')
    return null
  })
