import type { Sql } from '../../db/database.ts'
import { type AuditKind, type AuditOwner, insertAuditEvents } from '../../db/queries/audit.ts'
import type { Author } from '../../db/space-write.ts'
import { type Actor, callerOf } from './actor.ts'
import type { Context } from './context.ts'
import { auditedActor } from './refusals.ts'

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

/** Returns the author that the history records for the caller's changes. A rotated key remains the same author. */
export const authorOf = <A extends Actor>(
  actor: A,
  { agent }: Pick<Context, 'agent'>,
): Author & { kind: A['kind'] } => ({
  kind: actor.kind,
  id: actor.kind === 'space_key' ? actor.firstId : callerOf(actor),
  label: actor.kind === 'session' ? null : actor.label,
  accountId: actor.accountId,
  agent: agent ?? null,
})
