import type { SessionActor, UserTokenActor } from '../core/actor.ts'
import { Problem } from '../core/problem.ts'

/**
 * The procedures that suspended accounts cannot call: those that write what other people see on the main site. All
 * others work, so that people can read, export and delete their own content, and use the spaces that they share.
 */
export const REFUSED_WHILE_SUSPENDED: ReadonlySet<string> = new Set([
  'posts.create',
  'posts.update',
  'drafts.publish',
  'writing.revise',
  'postHistory.restore',
  'postHistory.restoreDeleted',
  'comments.create',
  'comments.update',
  'discussions.addComment',
  'likes.add',
  'follows.add',
  'reports.create',
  'reports.createForComment',
  'me.update',
  'me.setIcon',
  'spaces.create',
])

/** Returns an object with the actor's `suspensionReason`; an empty object if the account is not suspended. */
export const suspensionOf = ({ suspension_reason: reason }: { suspension_reason: string | null }) =>
  reason === null ? {} : { suspensionReason: reason }

/**
 * Refuses a call that a suspended account cannot make. The base procedures call this where they check scopes, before
 * the input is read.
 *
 * @param path the path of the procedure in the router
 * @throws `account_suspended` for a session; `insufficient_scope` for a token, because the contract has no other code
 * for a call that a valid credential cannot make (docs/decisions/0015-suspended-accounts.md)
 */
export const requireActive = (
  { kind, suspensionReason: reason }: SessionActor | UserTokenActor,
  path: string,
): void => {
  if (reason === undefined || !REFUSED_WHILE_SUSPENDED.has(path)) return
  throw new Problem(kind === 'session' ? 'account_suspended' : 'insufficient_scope', {
    detail: `The account is suspended, so it cannot do this. Reason: ${reason}`,
  })
}
