import { findSessionConfirmation } from '../../db/queries/sessions.ts'
import { Problem } from '../core/problem.ts'
import { signedIn } from './signed-in.ts'

/** How long a re-authentication stays valid, in ms. */
const VALID_FOR = 10 * 60 * 1000

/**
 * The base of procedures that change sign-in methods. Requires a sign-in or re-authentication within the last ten
 * minutes, so that a person who finds an unattended browser cannot add a method of their own.
 */
export const recentlyConfirmed = signedIn.use(async ({ ctx, next }) => {
  const session = await findSessionConfirmation(ctx.sql, ctx.session.tokenHash)
  if (!session || Date.now() - session.confirmed_at.getTime() > VALID_FOR)
    throw new Problem('confirmation_required')
  return next()
})
