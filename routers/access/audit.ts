import type { Sql } from '../../db/orm.ts'
import { type AuditKind, type AuditOwner, insertAuditEvents } from '../../db/queries/audit.ts'
import type { Actor } from '../core/actor.ts'

/** The caller as the audit log names it. */
export const auditActor = (actor: Actor | null) => ({
  actor: actor?.accountId ?? null,
  actorLabel: !actor || actor.kind === 'session' ? null : actor.label,
})

/**
 * Records an event in the audit log of a space or an account.
 *
 * @param sql the transaction of what it records
 * @param actor null for the operator's command
 * @param details labels, scopes and names; never a secret
 */
export const recordEvent = (
  sql: Sql,
  owner: AuditOwner,
  kind: AuditKind,
  actor: Actor | null,
  details: Record<string, unknown> = {},
): Promise<void> => insertAuditEvents(sql, [{ owner, kind, details, ...auditActor(actor) }])
