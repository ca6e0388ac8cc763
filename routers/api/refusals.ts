import type { AuditOwner } from '../../db/queries/audit.ts'
import type { Actor } from './actor.ts'
import type { Context } from './context.ts'
import type { ErrorCode } from './errors.ts'

/** Refusals because of a missing permission, a limit or a rate limit. The audit log counts them. */
const COUNTED: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'insufficient_scope',
  'space_mismatch',
  'operators_only',
  'limit_reached',
  'parts_quota_exceeded',
  'data_quota_exceeded',
  'storage_quota_exceeded',
  'too_many_keys',
  'too_many_tokens',
  'too_many_invites',
  'too_many_passkeys',
  'rate_limited',
])

/** Counts a refused call if its code is one of `COUNTED`. The caller does not wait for the write. */
export const noteRefusal = (
  { core, actor }: Pick<Context, 'core' | 'actor'>,
  code: ErrorCode,
  owner: AuditOwner | null = actor && ownerOf(actor),
): void => {
  if (actor && owner) noteRefusalOf(core, actor, code, owner)
}

/** Like {@link noteRefusal}, for a caller that is not the actor of the context. */
export const noteRefusalOf = (
  core: Context['core'],
  caller: AuditedActor,
  code: ErrorCode,
  owner: AuditOwner,
): void => {
  if (!COUNTED.has(code)) return
  core.countedEvents.note({ owner, kind: 'refused', details: { code }, ...auditedActor(caller) })
}

const ownerOf = (actor: Actor): AuditOwner =>
  actor.kind === 'space_key' ? { spaceId: actor.space.id } : { accountId: actor.accountId }

/** A caller that the audit log names. `label` is the label of the key or token; it is absent or null for a person. */
export interface AuditedActor {
  accountId: string
  label?: string | null
}

/**
 * Returns the fields by which an audit event names the caller. Both are null if nobody was signed in, or if
 * the action was a command that the operator ran on the server.
 */
export const auditedActor = (actor: AuditedActor | null) => ({
  actor: actor?.accountId ?? null,
  actorLabel: actor?.label ?? null,
})
