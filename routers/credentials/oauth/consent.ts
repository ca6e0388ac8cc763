import { violatedConstraint } from '../../../db/errors.ts'
import {
  deleteIdleKeys,
  deleteIdleTokens,
  deleteOldOauthCodes,
  insertOauthCode,
  touchOauthClient,
} from '../../../db/queries/oauth.ts'
import { inTransaction } from '../../../db/transaction.ts'
import type { SessionActor } from '../../api/actor.ts'
import { newToken } from '../../api/browser-session.ts'
import { checkInSpace, checkSignedIn } from '../../api/caller-check.ts'
import type { Core } from '../../api/context.ts'
import type { ErrorCode } from '../../api/errors.ts'
import { requireParticipant } from '../../api/in-space.ts'
import { Problem, problemOf } from '../../api/problem.ts'
import { noteRefusalOf } from '../../api/refusals.ts'
import { hashSecret } from '../../api/secret.ts'
import { isRecentlyConfirmed, requireConfirmation } from '../../api/signed-in.ts'
import { IDLE_GRANT } from '../expiry.ts'
import { requireCapacity } from '../issue.ts'
import { recordEnded } from '../record-ended.ts'
import { keyStore, tokenStore } from '../store.ts'
import { oauthAddresses } from './addresses.ts'
import { withParameters } from './redirects.ts'
import type { AuthorizationRequest } from './request.ts'

/** Lifetime of an authorization code, in ms. */
const CODE_LIFETIME = 60_000
/** How long a used code is kept to detect reuse, in ms. */
const CODE_RETENTION = 24 * 60 * 60 * 1000

/** Whether the session was confirmed recently enough to approve a client, which gets lasting access. */
export const canApprove = ({ database }: Core, session: SessionActor): Promise<boolean> =>
  isRecentlyConfirmed(database, session)

/** The person's choice on the consent page. */
export interface Decision {
  /** Scopes from the form. Those that were not offered are ignored. */
  scopes: readonly string[]
  /** The space that the client is connected to; null for the person's account. */
  subdomain: string | null
}

/**
 * Approves a request. The limit of keys or tokens is enforced when the code is exchanged. It is checked here too, while
 * the person can still revoke another key or token.
 *
 * @returns the redirect target with the code; null when no scope was chosen
 * @throws `confirmation_required` unless `canApprove`; `space_not_found` unless the person participates in the space;
 * `owners_only` unless as an owner; `too_many_keys`, `too_many_tokens`; `sign_in_required` when the session has ended in the meantime
 */
export const approve = async (
  core: Core,
  { client, redirectUri, state, challenge, resource, grantResource, offered }: AuthorizationRequest,
  session: SessionActor,
  chosen: Decision,
): Promise<string | null> => {
  const scopes = offered.filter(scope => chosen.scopes.includes(scope))
  if (scopes.length === 0) return null
  const { accountId } = session
  await requireConfirmation(core.database, session)
  const code = newToken()
  const now = new Date()
  const sql = core.database
  const owner = resource === 'space' ? await requireParticipant(sql, accountId, chosen.subdomain) : null
  if (owner?.role === 'editor') throw new Problem('owners_only')
  const idleSince = new Date(now.getTime() - IDLE_GRANT)
  await inTransaction(core.database, sql =>
    deleteOldOauthCodes(sql, new Date(now.getTime() - CODE_RETENTION)),
  )
  await inTransaction(core.database, async sql => {
    const ended = await (owner
      ? deleteIdleKeys(sql, owner.space.id, idleSince)
      : deleteIdleTokens(sql, accountId, idleSince))
    await recordEnded(sql, ended, 'unused')
  })
  const store = owner
    ? keyStore(sql, { spaceId: owner.space.id, participantId: owner.participantId })
    : tokenStore(sql, accountId)
  await requireCapacity(store, now).catch((error: unknown) => {
    noteRefusalOf(
      core,
      session,
      problemOf(error).problem,
      owner ? { spaceId: owner.space.id } : { accountId },
    )
    throw error
  })
  const insertion = inTransaction(
    core.database,
    async sql => {
      if (client.host === null) await touchOauthClient(sql, client.id, now)
      await insertOauthCode(sql, {
        code_hash: hashSecret(code),
        account_id: accountId,
        participant_id: owner?.participantId ?? null,
        client_id: client.id,
        client_name: client.name,
        redirect_uri: redirectUri,
        challenge,
        scopes,
        resource: grantResource,
        expires_at: new Date(now.getTime() + CODE_LIFETIME),
      })
    },
    // Check the session again. Preparing the code took several statements.
    owner
      ? checkInSpace(session, owner.space.id, 'sign_in_required', { ownersOnly: true })
      : checkSignedIn(session),
  )
  await insertion.catch((error: unknown) => {
    const problem = DELETED_MEANWHILE[violatedConstraint(error) ?? '']
    throw problem ? new Problem(problem) : error
  })
  return withParameters(redirectUri, { code, state, iss: oauthAddresses(core.addresses).issuer })
}

/**
 * The problem to report for each violated foreign key. A violation means that the referenced row was deleted after it
 * had been read.
 */
const DELETED_MEANWHILE: Record<string, ErrorCode> = {
  oauth_codes_account_id_foreign: 'sign_in_required',
  oauth_codes_participant_id_foreign: 'space_not_found',
}
