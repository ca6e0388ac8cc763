import { sqlOf } from '../../db/orm.ts'
import { subdomainFrom } from '../core/fields.ts'
import { Problem } from '../core/problem.ts'
import { procedure } from '../core/trpc.ts'
import { requireParticipant } from './participant.ts'

/** The base of what a person does with a session. Keys and tokens never get here. */
export const signedIn = procedure.use(({ ctx, next }) => {
  if (ctx.actor?.kind !== 'session') throw new Problem('sign_in_required')
  return next({ ctx: { session: ctx.actor, sql: sqlOf(ctx.core.orm) } })
})

/** The base of what a participant does to the space named by the input's `subdomain`. */
export const asParticipant = signedIn.use(async ({ ctx, getRawInput, next }) => {
  const subdomain = subdomainFrom(await getRawInput())
  return next({ ctx: await requireParticipant(ctx.sql, ctx.session.accountId, subdomain) })
})
