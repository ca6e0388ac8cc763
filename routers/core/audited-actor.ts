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
