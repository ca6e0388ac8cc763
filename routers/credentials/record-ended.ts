import type { Sql } from '../../db/database.ts'
import { insertAuditEvents } from '../../db/queries/audit.ts'
import type { EndedCredential } from '../../db/queries/oauth.ts'

/** Why a key or token ended, if no person revoked it in the dashboard. */
export type EndReason = 'app' | 'unused' | 'code_reused' | 'refresh_reused' | 'password_changed'

/**
 * Records in the audit logs that keys and tokens have ended.
 *
 * @param sql the transaction that deleted them
 * @param reason `app` if the connected app itself revoked its access
 */
export const recordEnded = (sql: Sql, ended: readonly EndedCredential[], reason: EndReason): Promise<void> =>
  insertAuditEvents(
    sql,
    ended.map(({ space_id, account_id, label, scopes }) => ({
      owner: space_id === null ? { accountId: account_id } : { spaceId: space_id },
      kind: space_id === null ? 'token_revoked' : 'key_revoked',
      actor: account_id,
      actorLabel: reason === 'app' ? label : null,
      details: { label, scopes, reason },
    })),
  )
