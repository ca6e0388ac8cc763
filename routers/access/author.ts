import type { Author } from '../../db/space-write.ts'
import { type Actor, callerOf } from '../core/actor.ts'
import type { Context } from '../core/context.ts'

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
