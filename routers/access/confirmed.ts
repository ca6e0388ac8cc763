import { findSessionConfirmation } from '../../db/queries/sessions.ts'
import { Problem } from '../core/problem.ts'
import { signedIn } from './signed-in.ts'

/** Milliseconds for which a person is taken for themselves after having shown it. */
const CONFIRMED_FOR = 10 * 60 * 1000

/**
 * The base of what changes the ways into an account: whoever finds a browser left open must not make one of their
 * own. Asks for a sign-in, or a confirmation, of the last ten minutes.
 */
export const confirmed = signedIn.use(async ({ ctx, next }) => {
  const standing = await findSessionConfirmation(ctx.sql, ctx.session.tokenHash)
  if (!standing || Date.now() - standing.confirmed_at.getTime() > CONFIRMED_FOR)
    throw new Problem('confirmation_required')
  return next()
})
