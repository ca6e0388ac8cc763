import type { Context } from '../core/context.ts'
import type { SignInMethod } from './browser-session.ts'

/**
 * Counts a failed sign-in for the audit log of the account. Nothing is written before the response, so that its time
 * does not tell whether the account exists.
 */
export const noteFailedSignIn = ({ core }: Context, accountId: string, method: SignInMethod): void =>
  core.countedEvents.note({
    owner: { accountId },
    kind: 'sign_in_failed',
    actor: null,
    actorLabel: null,
    details: { method },
  })

/** Counts a wrong password with which a signed-in person wanted to confirm a change. */
export const noteFailedConfirmation = ({ core }: Pick<Context, 'core'>, accountId: string): void =>
  core.countedEvents.note({
    owner: { accountId },
    kind: 'sign_in_failed',
    actor: accountId,
    actorLabel: null,
    details: { method: 'confirmation' },
  })
