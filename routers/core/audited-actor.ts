import type { Actor } from './actor.ts'

/** The caller as the audit log names it: null if nobody had signed in, or for the operator's command. */
export const auditedActor = (actor: Actor | null) => ({
  actor: actor?.accountId ?? null,
  actorLabel: !actor || actor.kind === 'session' ? null : actor.label,
})
