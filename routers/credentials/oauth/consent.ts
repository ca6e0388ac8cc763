import { violatedConstraint } from '../../../db/constraint-violation.ts'
import { sqlOf } from '../../../db/orm.ts'
import { touchOauthClient } from '../../../db/queries/oauth-clients.ts'
import { deleteIdleGrants, deleteOldOauthCodes, insertOauthCode } from '../../../db/queries/oauth-grants.ts'
import { inTransaction } from '../../../db/transaction.ts'
import { newToken } from '../../access/browser-session.ts'
import { hashSecret } from '../../access/secret.ts'
import type { SessionActor } from '../../core/actor.ts'
import type { Core } from '../../core/context.ts'
import { Problem } from '../../core/problem.ts'
import type { UserScope } from '../../core/scopes.ts'
import { requireCapacity } from '../limit.ts'
import { tokenStore } from '../tokens/store.ts'
import { oauthAddresses } from './addresses.ts'
import { IDLE_GRANT } from './lifetimes.ts'
import { withParameters } from './redirects.ts'
import type { AuthorizationRequest } from './request.ts'

/** Lifetime of an authorization code, in ms. */
const CODE_LIFETIME = 60_000
/** How long a used code is kept to detect reuse, in ms. */
const CODE_RETENTION = 24 * 60 * 60 * 1000

/**
 * Approves a request. Scopes that were not offered are ignored. The limit of tokens is enforced when the code is
 * exchanged; it is also checked here, where the person can still revoke a token.
 *
 * @param chosen scopes from the form
 * @returns the redirect target with the code; null when no scope was chosen
 * @throws `sign_in_required` when the account was deleted in the meantime; `too_many_tokens`
 */
export const approve = async (
  core: Core,
  { client, redirectUri, state, challenge, offered }: AuthorizationRequest,
  { accountId }: SessionActor,
  chosen: readonly string[],
): Promise<string | null> => {
  const scopes: UserScope[] = offered.filter(scope => chosen.includes(scope))
  if (scopes.length === 0) return null
  const code = newToken()
  const now = Date.now()
  const sql = sqlOf(core.orm)
  await inTransaction(core.orm, sql => deleteOldOauthCodes(sql, new Date(now - CODE_RETENTION)))
  await inTransaction(core.orm, sql => deleteIdleGrants(sql, accountId, new Date(now - IDLE_GRANT)))
  await requireCapacity(tokenStore(sql, accountId), new Date(now))
  if (client.host === null) await touchOauthClient(sql, client.id, new Date(now))
  const insertion = insertOauthCode(sql, {
    code_hash: hashSecret(code),
    account_id: accountId,
    client_id: client.id,
    client_name: client.name,
    redirect_uri: redirectUri,
    challenge,
    scopes,
    expires_at: new Date(now + CODE_LIFETIME),
  })
  await insertion.catch((error: unknown) => {
    throw violatedConstraint(error) === 'oauth_codes_account_id_foreign'
      ? new Problem('sign_in_required')
      : error
  })
  return withParameters(redirectUri, { code, state, iss: oauthAddresses(core.addresses).issuer })
}
