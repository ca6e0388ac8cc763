import { sqlOf } from '../../db/orm.ts'
import { findAccountByHandle } from '../../db/queries/accounts.ts'
import type { Context } from '../core/context.ts'
import type { SignInMethod } from './browser-session.ts'

/**
 * Counts a failed sign-in for the audit log of the account. Nothing is written before the response, so that the
 * response time does not reveal whether the account exists.
 */
export const noteFailedSignIn = (ctx: Context, accountId: string, method: SignInMethod): void =>
  note(ctx, accountId, { method })

/**
 * Counts a sign-in that was refused because there were too many attempts on the account. The query is the same for an
 * account that does not exist, so that the response time does not reveal whether the account exists.
 */
export const noteRefusedSignIn = async (
  ctx: Context,
  handle: string,
  method: SignInMethod,
): Promise<void> => {
  const account = await findAccountByHandle(sqlOf(ctx.core.orm), handle)
  if (account) note(ctx, account.id, { method, code: 'rate_limited' })
}

const note = (
  { core }: Context,
  accountId: string,
  details: { method: SignInMethod; code?: 'rate_limited' },
): void =>
  core.countedEvents.note({
    owner: { accountId },
    kind: 'sign_in_failed',
    actor: null,
    actorLabel: null,
    details,
  })

/** Counts a wrong password or recovery code that a signed-in person entered to confirm a change. */
export const noteFailedConfirmation = ({ core }: Pick<Context, 'core'>, accountId: string): void =>
  core.countedEvents.note({
    owner: { accountId },
    kind: 'sign_in_failed',
    actor: accountId,
    actorLabel: null,
    details: { method: 'confirmation' },
  })
