import type { Author } from '../../db/space-write.ts'
import { type Actor, callerOf } from '../core/actor.ts'
import type { Context } from '../core/context.ts'

/** Returns the caller as histories record it. */
export const authorOf = <A extends Actor>(
  actor: A,
  { agent }: Pick<Context, 'agent'>,
): Author & { kind: A['kind'] } => ({
  kind: actor.kind,
  id: callerOf(actor),
  label: actor.kind === 'session' ? null : actor.label,
  accountId: actor.accountId,
  agent: agent ?? null,
})
