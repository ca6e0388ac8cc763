import { createHash } from 'node:crypto'
import type { Sql } from '../../../db/database.ts'
import { newId } from '../../../db/id.ts'
import { lockAccount } from '../../../db/queries/accounts.ts'
import { type AuditOwner, insertAuditEvents } from '../../../db/queries/audit.ts'
import { insertSpaceKey, insertUserToken } from '../../../db/queries/credentials.ts'
import {
  deleteGrant,
  type GrantedCredential,
  insertGrant,
  lockOauthCode,
  markOauthCodeExchanged,
} from '../../../db/queries/oauth.ts'
import { findSpaceOfOwner } from '../../../db/queries/participants.ts'
import { lockMembership } from '../../../db/queries/spaces.ts'
import { inTransaction } from '../../../db/transaction.ts'
import type { Core } from '../../api/context.ts'
import { Problem, problemOf } from '../../api/problem.ts'
import { noteRefusalOf } from '../../api/refusals.ts'
import { hashSecret, hintOf, newSecret } from '../../api/secret.ts'
import { ACCESS_LIFETIME } from '../expiry.ts'
import { requireCapacity } from '../issue.ts'
import { recordEnded } from '../record-ended.ts'
import { keyStore, tokenStore } from '../store.ts'
import { includes, type ResourceName } from './addresses.ts'
import { OauthError } from './error.ts'
import { familyOf, type TokenResponse, tokenResponse } from './secrets.ts'

/** Parameters of a code exchange. */
export interface Exchange {
  clientId: string
  code: string
  verifier: string
  /** The redirect URI that received the code; OAuth 2.1 clients omit it. */
  redirectUri: string | undefined
  /** The resource that the request names, if any. */
  server: ResourceName | undefined
}

type Code = NonNullable<Awaited<ReturnType<typeof lockOauthCode>>>

/**
 * Exchanges a code for a grant. The grant then appears in the list of the space's keys or of the person's tokens.
 * If a code is used a second time, it may have leaked. So a second use ends the grant (RFC 6749, 4.1.2).
 *
 * @throws OauthError `invalid_grant` if the code cannot be exchanged. If there are too many keys or tokens, the
 * error says so. Then nothing has changed, and the code can be exchanged after a key or token has been revoked.
 * In all other cases, the error does not say which reason applies.
 * @throws OauthError `invalid_target` if the request names one resource, and the code was issued for another one
 */
export const exchangeCode = async (core: Core, exchange: Exchange): Promise<TokenResponse> => {
  const answer = await inTransaction(core.database, async sql => {
    const codeHash = hashSecret(exchange.code)
    const code = await lockOauthCode(sql, codeHash)
    if (!code || !belongsTo(code, exchange)) return null
    const earlier = grantOf(code)
    if (earlier) {
      await recordEnded(sql, await deleteGrant(sql, earlier), 'code_reused')
      return null
    }
    // The code was issued by a process of an earlier version, which did not store the resource.
    if (code.resource === null) return null
    const { server } = exchange
    const kind = kindOf(code)
    if (server !== undefined && !includes({ kind, resource: code.resource }, server))
      throw new OauthError('invalid_target', 'The code was issued for another resource')
    // A client that names its resource only now is bound to it.
    const resource = code.resource === 'unnamed' ? (server ?? code.resource) : code.resource
    const now = new Date()
    const granted = code.expires_at <= now ? null : await grant(core, sql, { ...code, resource }, now)
    if (granted) await markOauthCodeExchanged(sql, codeHash, granted.credential)
    return granted?.response
  }).catch((error: unknown) => {
    throw error instanceof Problem &&
      (error.problem === 'too_many_tokens' || error.problem === 'too_many_keys')
      ? new OauthError('invalid_grant', error.message)
      : error
  })
  if (!answer)
    throw new OauthError('invalid_grant', 'The code is unknown, used, expired, or belongs to another client')
  return answer
}

/** The kind of credential that the code can be exchanged for. */
const kindOf = ({ participant_id }: Code): GrantedCredential['kind'] =>
  participant_id === null ? 'user_token' : 'space_key'

/** Returns the credential that the code was exchanged for; null if the code has not been used. */
const grantOf = ({ token_id, key_id }: Code): GrantedCredential | null => {
  if (token_id !== null) return { kind: 'user_token', id: token_id }
  return key_id === null ? null : { kind: 'space_key', id: key_id }
}

/**
 * Creates the token or key, with its refresh state.
 *
 * @returns null if its owner no longer exists or, for a key, no longer owns the space
 */
const grant = async (core: Core, sql: Sql, code: Code, now: Date) => {
  const kind = kindOf(code)
  const pair = { access: newSecret(kind), refresh: newSecret('refresh_token') }
  const credential = {
    id: newId(),
    label: code.client_name,
    secret_hash: hashSecret(pair.access),
    hint: hintOf(pair.access),
    scopes: code.scopes,
    created_at: now,
    client_id: code.client_id,
    resource: code.resource,
    expires_at: new Date(now.getTime() + ACCESS_LIFETIME),
  }
  const event = {
    actor: code.account_id,
    actorLabel: null,
    details: { label: credential.label, scopes: credential.scopes },
  }
  const noteTooMany = (owner: AuditOwner) => (error: unknown) => {
    noteRefusalOf(
      core,
      { accountId: code.account_id, label: code.client_name },
      problemOf(error).problem,
      owner,
    )
    throw error
  }
  if (code.participant_id === null) {
    if (!(await lockAccount(sql, code.account_id))) return null
    await requireCapacity(tokenStore(sql, code.account_id), now).catch(
      noteTooMany({ accountId: code.account_id }),
    )
    await insertUserToken(sql, { ...credential, account_id: code.account_id })
    await insertAuditEvents(sql, [{ owner: { accountId: code.account_id }, kind: 'token_issued', ...event }])
  } else {
    const spaceId = await findSpaceOfOwner(sql, code.participant_id)
    if (spaceId === undefined || !(await lockMembership(sql, spaceId))) return null
    // Under the lock, the person can no longer become an editor.
    if ((await findSpaceOfOwner(sql, code.participant_id)) === undefined) return null
    await requireCapacity(keyStore(sql, { spaceId, participantId: code.participant_id }), now).catch(
      noteTooMany({ spaceId }),
    )
    await insertSpaceKey(sql, { ...credential, issuer_id: code.participant_id })
    await insertAuditEvents(sql, [{ owner: { spaceId }, kind: 'key_issued', ...event }])
  }
  const granted: GrantedCredential = { kind, id: credential.id }
  await insertGrant(sql, granted, {
    family_hash: hashSecret(familyOf(pair.refresh)!),
    refresh_hash: hashSecret(pair.refresh),
    refreshed_at: now,
  })
  return { credential: granted, response: tokenResponse(pair, ACCESS_LIFETIME, code.scopes) }
}

const belongsTo = (code: Code, { clientId, redirectUri, verifier }: Exchange): boolean =>
  code.client_id === clientId &&
  (redirectUri === undefined || redirectUri === code.redirect_uri) &&
  /^[\w.~-]{43,128}$/.test(verifier) &&
  createHash('sha256').update(verifier).digest('base64url') === code.challenge
