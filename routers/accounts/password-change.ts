import type { Sql } from '../../db/database.ts'
import { findPasswordHash, updatePasswordHash } from '../../db/queries/accounts.ts'
import { deleteTokensOfAccount } from '../../db/queries/oauth.ts'
import { listPasskeys } from '../../db/queries/passkeys.ts'
import {
  confirmSession,
  deleteOtherSessions,
  deleteSessionsOfAccount,
  findSessionConfirmation,
  revokeReset,
} from '../../db/queries/sessions.ts'
import { consumeSignInLink, deleteSignInLinksOfAccount, forgetBrowsers } from '../../db/queries/sign-in.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { SessionActor } from '../api/actor.ts'
import { countAccount, countClient, noteFailedConfirmation } from '../api/attempt-limits.ts'
import { beginSession, hashBrowser } from '../api/browser-session.ts'
import type { CallersWrites } from '../api/caller-check.ts'
import type { Context } from '../api/context.ts'
import { invalid, Problem } from '../api/problem.ts'
import { hashSecret } from '../api/secret.ts'
import { requireConfirmation } from '../api/signed-in.ts'
import { recordEnded } from '../credentials/record-ended.ts'
import { hashPassword, verifyPassword } from './password.ts'
import { issueRecoveryCodes } from './recovery/router.ts'

/** Ends the tokens and connected apps of an account because it gets a new password. */
const endTokens = async (sql: Sql, accountId: string): Promise<void> =>
  recordEnded(sql, await deleteTokensOfAccount(sql, accountId), 'password_changed')

/** Whether the session began with a recovery code, recently enough to set a new password without the old one. */
const mayReset = async (sql: Sql, { tokenHash }: SessionActor): Promise<boolean> => {
  const until = (await findSessionConfirmation(sql, tokenHash))?.may_reset_until
  return until != null && until.getTime() > Date.now()
}

/**
 * Sets the password of the signed-in account. Ends all other sessions and unused one-time links and, with
 * `end_tokens`, all tokens and connected apps.
 *
 * @throws `validation_failed` on `current_password` when it is wrong, `rate_limited`; `confirmation_required` for an
 * account without a password
 */
export const setPassword = async (
  ctx: Context & Pick<CallersWrites, 'writeAccount'> & { sql: Sql },
  session: SessionActor,
  input: { current_password?: string | undefined; password: string; end_tokens: boolean },
): Promise<void> => {
  const account = await findPasswordHash(ctx.sql, session.accountId)
  if (!account) throw new Problem('sign_in_required')
  // Whoever finds an unattended browser must not be able to give the account a password.
  if (account.password_hash === null) await requireConfirmation(ctx.sql, session)
  else if (!(await mayReset(ctx.sql, session))) {
    await countAccount(ctx, session.accountId)
    if (!(await verifyPassword(account.password_hash, input.current_password ?? ''))) {
      noteFailedConfirmation(ctx, session.accountId)
      throw invalid('current_password', 'this is not the current password')
    }
  }
  const passwordHash = await hashPassword(input.password, ctx.core.passwordCost)
  await ctx.writeAccount(async sql => {
    await updatePasswordHash(sql, session.accountId, passwordHash)
    await revokeReset(sql, session.tokenHash)
    await confirmSession(sql, session.tokenHash, new Date())
    await deleteOtherSessions(sql, session.accountId, session.tokenHash)
    await forgetBrowsers(sql, session.accountId, ctx.browser === undefined ? null : hashBrowser(ctx.browser))
    await deleteSignInLinksOfAccount(sql, session.accountId)
    if (input.end_tokens) await endTokens(sql, session.accountId)
  })
}

/**
 * Sets a new password with an operator's one-time link and signs in.
 *
 * @throws `link_not_found`, `rate_limited`
 */
export const resetPassword = async (
  ctx: Context,
  input: { token: string; password: string; end_tokens: boolean },
) => {
  await countClient(ctx)
  const passwordHash = await hashPassword(input.password, ctx.core.passwordCost)
  const { token, ...result } = await inTransaction(ctx.core.database, async sql => {
    const account = await consumeSignInLink(sql, 'reset', hashSecret(input.token), new Date())
    if (!account) throw new Problem('link_not_found')
    const { id, handle } = account
    await updatePasswordHash(sql, id, passwordHash)
    await deleteSessionsOfAccount(sql, id)
    await forgetBrowsers(sql, id)
    await deleteSignInLinksOfAccount(sql, id)
    if (input.end_tokens) await endTokens(sql, id)
    return {
      handle,
      recovery_codes: await issueRecoveryCodes(sql, id),
      passkeys: (await listPasskeys(sql, id)).length,
      token: await beginSession(sql, ctx, id, 'link'),
    }
  })
  ctx.setSession?.(token)
  return result
}
