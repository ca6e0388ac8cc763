import type { SessionActor, UserTokenActor } from '../core/actor.ts'
import { Problem, suspendedDetail } from '../core/problem.ts'
import type { Meta } from '../core/trpc.ts'

/** Returns an object with the actor's `suspensionReason`; an empty object if the account is not suspended. */
export const suspensionOf = ({ suspension_reason: reason }: { suspension_reason: string | null }) =>
  reason === null ? {} : { suspensionReason: reason }

/**
 * Refuses a call that a suspended account cannot make. The base procedures call this where they check scopes, before
 * the input is read.
 *
 * @param meta the declaration of the procedure
 * @throws `account_suspended` for a session; `insufficient_scope` for a token, because the contract has no other code
 * for a call that a valid credential cannot make (docs/decisions/0015-suspended-accounts.md)
 */
export const requireActive = (
  { kind, suspensionReason: reason }: SessionActor | UserTokenActor,
  meta: Meta | undefined,
): void => {
  if (reason === undefined || !meta?.isRefusedWhileSuspended) return
  throw new Problem(kind === 'session' ? 'account_suspended' : 'insufficient_scope', {
    detail: suspendedDetail(reason),
  })
}
