import type { Sql } from '../../db/orm.ts'
import { findSessionConfirmation } from '../../db/queries/sessions.ts'
import type { SessionActor } from '../core/actor.ts'
import { Problem } from '../core/problem.ts'
import { signedIn } from './signed-in.ts'

/** How long a re-authentication stays valid, in ms. */
const VALID_FOR = 10 * 60 * 1000

/** Whether the session began, or the person re-authenticated in it, within the last ten minutes. */
export const isRecentlyConfirmed = async (sql: Sql, { tokenHash }: SessionActor): Promise<boolean> => {
  const session = await findSessionConfirmation(sql, tokenHash)
  return session !== undefined && isRecent(session)
}

const isRecent = ({ confirmed_at: at }: { confirmed_at: Date }) => Date.now() - at.getTime() <= VALID_FOR

/**
 * Requires a sign-in or re-authentication within the last ten minutes, so that a person who finds an unattended browser
 * can neither create lasting access nor destroy what the account owns.
 *
 * @throws `confirmation_required`, or `sign_in_required` if the session has ended
 */
export const requireConfirmation = async (sql: Sql, { tokenHash }: SessionActor): Promise<void> => {
  const session = await findSessionConfirmation(sql, tokenHash)
  if (!session) throw new Problem('sign_in_required')
  if (!isRecent(session)) throw new Problem('confirmation_required')
}

/** The base of procedures that change sign-in methods; see `requireConfirmation`. */
export const recentlyConfirmed = signedIn.use(async ({ ctx, next }) => {
  await requireConfirmation(ctx.sql, ctx.session)
  return next()
})
