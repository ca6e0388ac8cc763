import { createHash } from 'node:crypto'
import { newId } from '../../../db/id.ts'
import { lockAccount } from '../../../db/queries/accounts.ts'
import {
  deleteGrant,
  insertGrantedToken,
  lockOauthCode,
  markOauthCodeExchanged,
} from '../../../db/queries/oauth-grants.ts'
import { inTransaction } from '../../../db/transaction.ts'
import { hashSecret, hintOf, newSecret } from '../../access/secret.ts'
import type { Core } from '../../core/context.ts'
import { Problem } from '../../core/problem.ts'
import { requireCapacity } from '../limit.ts'
import { tokenStore } from '../tokens/store.ts'
import { OauthError } from './error.ts'
import { ACCESS_LIFETIME } from './lifetimes.ts'
import { familyOf } from './secrets.ts'
import { type TokenResponse, tokenResponse } from './token-response.ts'

/** Parameters of a code exchange. */
export interface Exchange {
  clientId: string
  code: string
  verifier: string
  /** Where the code was sent; OAuth 2.1 clients omit it. */
  redirectUri: string | undefined
}

/**
 * Exchanges a code for a grant, which appears in the person's list of tokens. A code that its client uses twice has
 * leaked, so the grant ends too (RFC 6749, 4.1.2).
 *
 * @throws OauthError `invalid_grant`. The error names the reason only when the person has too many tokens: then nothing
 *   has changed, and the code works once a token is revoked.
 */
export const exchangeCode = async (core: Core, exchange: Exchange): Promise<TokenResponse> => {
  const answer = await inTransaction(core.orm, async sql => {
    const codeHash = hashSecret(exchange.code)
    const code = await lockOauthCode(sql, codeHash)
    if (!code || !belongsTo(code, exchange)) return null
    if (code.token_id !== null) {
      await deleteGrant(sql, code.token_id)
      return null
    }
    const now = Date.now()
    if (code.expires_at.getTime() <= now) return null
    if (!(await lockAccount(sql, code.account_id))) return null
    await requireCapacity(tokenStore(sql, code.account_id), new Date(now))
    const pair = { access: newSecret('user_token'), refresh: newSecret('refresh_token') }
    const id = newId()
    await insertGrantedToken(
      sql,
      {
        id,
        account_id: code.account_id,
        label: code.client_name,
        secret_hash: hashSecret(pair.access),
        hint: hintOf(pair.access),
        scopes: code.scopes,
        created_at: new Date(now),
        client_id: code.client_id,
        expires_at: new Date(now + ACCESS_LIFETIME),
      },
      {
        token_id: id,
        family_hash: hashSecret(familyOf(pair.refresh)!),
        refresh_hash: hashSecret(pair.refresh),
        refreshed_at: new Date(now),
      },
    )
    await markOauthCodeExchanged(sql, codeHash, id)
    return tokenResponse(pair, ACCESS_LIFETIME, code.scopes)
  }).catch((error: unknown) => {
    throw error instanceof Problem && error.problem === 'too_many_tokens'
      ? new OauthError('invalid_grant', error.message)
      : error
  })
  if (!answer)
    throw new OauthError('invalid_grant', 'The code is unknown, used, expired, or belongs to another client')
  return answer
}

const belongsTo = (
  code: { client_id: string; redirect_uri: string; challenge: string },
  { clientId, redirectUri, verifier }: Exchange,
): boolean =>
  code.client_id === clientId &&
  (redirectUri === undefined || redirectUri === code.redirect_uri) &&
  /^[\w.~-]{43,128}$/.test(verifier) &&
  createHash('sha256').update(verifier).digest('base64url') === code.challenge
