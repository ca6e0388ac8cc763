import type { AuditOwner } from '../../db/queries/audit.ts'
import type { Actor } from './actor.ts'
import type { Context, RateLimiter } from './context.ts'
import type { ErrorCode } from './errors.ts'
import { Problem } from './problem.ts'

/** Refusals because of a missing permission, a limit or a rate limit. The audit log counts them. */
const COUNTED: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'insufficient_scope',
  'space_mismatch',
  'operators_only',
  'owners_only',
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

/** Counts calls toward a rate limit. @throws `rate_limited` if there were too many, which the audit log counts */
export const countCalls = async (
  limiter: RateLimiter,
  context: Pick<Context, 'core' | 'actor'>,
  who: string,
  calls?: number,
): Promise<void> => {
  const { refused, reset } = await limiter.consume(who, calls)
  if (!refused) return
  noteRefusal(context, 'rate_limited')
  throw new Problem('rate_limited', {
    detail: `At most ${limiter.limit} calls a minute; wait ${reset} s.`,
    retryAfter: reset,
  })
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
