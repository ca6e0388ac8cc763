import type { Author } from '../../db/space-write.ts'
import { type Actor, callerOf } from '../core/actor.ts'
import type { Context } from '../core/context.ts'

/** Returns the caller as the history of a space records it. */
export const authorOf = (actor: Actor, { agent }: Pick<Context, 'agent'>): Author => ({
  kind: actor.kind,
  id: callerOf(actor),
  label: actor.kind === 'session' ? null : actor.label,
  accountId: actor.accountId,
  agent: agent ?? null,
})
