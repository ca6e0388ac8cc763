import type { Sql } from '../../db/orm.ts'
import { type AuditKind, type AuditOwner, insertAuditEvents } from '../../db/queries/audit.ts'
import type { Actor } from '../core/actor.ts'
import { auditedActor } from '../core/audited-actor.ts'

/**
 * Records an event in the audit log of a space or an account.
 *
 * @param sql the transaction of the recorded action
 * @param actor null for the operator's command
 * @param details labels, scopes and names; never a secret
 */
export const recordEvent = (
  sql: Sql,
  owner: AuditOwner,
  kind: AuditKind,
  actor: Actor | null,
  details: Record<string, unknown> = {},
): Promise<void> => insertAuditEvents(sql, [{ owner, kind, details, ...auditedActor(actor) }])
