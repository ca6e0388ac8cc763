/** A caller that the audit log names. The label is that of the key or token; absent or null for a person. */
export interface AuditedActor {
  accountId: string
  label?: string | null
}

/** The caller as the audit log names it: null if nobody had signed in, or for the operator's command. */
export const auditedActor = (actor: AuditedActor | null) => ({
  actor: actor?.accountId ?? null,
  actorLabel: actor?.label ?? null,
})
