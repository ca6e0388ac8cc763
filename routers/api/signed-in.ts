import type { Sql } from '../../db/database.ts'
import { findSessionConfirmation } from '../../db/queries/sessions.ts'
import type { SessionActor } from './actor.ts'
import { callersWrites, checkSignedIn } from './caller-check.ts'
import type { Core } from './context.ts'
import { requireActive } from './credential.ts'
import { Problem } from './problem.ts'
import { procedure } from './trpc.ts'

/** The base of procedures that need a session. Keys and tokens are refused. */
export const signedIn = procedure.use(({ ctx, meta, next }) => {
  if (ctx.actor?.kind !== 'session') throw new Problem('sign_in_required')
  requireActive(ctx.actor, meta)
  const { database } = ctx.core
  const writes = callersWrites(database, ctx.actor.accountId, checkSignedIn(ctx.actor, meta))
  return next({ ctx: { session: ctx.actor, sql: database, ...writes } })
})

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

/**
 * Whether the configuration lists a handle as an operator's. No other account can take a listed handle, even after the
 * operator has changed to another handle.
 */
export const isOperator = ({ operators }: Pick<Core, 'operators'>, handle: string): boolean =>
  operators.has(handle.toLowerCase())

/** The base of procedures for operators. */
export const asOperator = signedIn.use(({ ctx, next }) => {
  if (!isOperator(ctx.core, ctx.session.handle)) throw new Problem('operators_only')
  return next()
})
