import type { Context } from '../core/context.ts'
import type { SignInMethod } from './browser-session.ts'

/**
 * Counts a failed sign-in for the audit log of the account. Nothing is written before the response, so that the
 * response time does not reveal whether the account exists.
 */
export const noteFailedSignIn = ({ core }: Context, accountId: string, method: SignInMethod): void =>
  core.countedEvents.note({
    owner: { accountId },
    kind: 'sign_in_failed',
    actor: null,
    actorLabel: null,
    details: { method },
  })

/** Counts a wrong password that a signed-in person entered to confirm a change. */
export const noteFailedConfirmation = ({ core }: Pick<Context, 'core'>, accountId: string): void =>
  core.countedEvents.note({
    owner: { accountId },
    kind: 'sign_in_failed',
    actor: accountId,
    actorLabel: null,
    details: { method: 'confirmation' },
  })
