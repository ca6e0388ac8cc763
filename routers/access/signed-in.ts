import { sqlOf } from '../../db/orm.ts'
import { subdomainFrom } from '../core/fields.ts'
import { Problem } from '../core/problem.ts'
import { procedure } from '../core/trpc.ts'
import { requireParticipant } from './participant.ts'

/** The base of procedures that need a session. Keys and tokens are refused. */
export const signedIn = procedure.use(({ ctx, next }) => {
  if (ctx.actor?.kind !== 'session') throw new Problem('sign_in_required')
  return next({ ctx: { session: ctx.actor, sql: sqlOf(ctx.core.orm) } })
})

/** The base of procedures for participants of the space that the input's `subdomain` names. */
export const asParticipant = signedIn.use(async ({ ctx, getRawInput, next }) => {
  const subdomain = subdomainFrom(await getRawInput())
  return next({ ctx: await requireParticipant(ctx.sql, ctx.session.accountId, subdomain) })
})
