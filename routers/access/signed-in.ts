import { sqlOf } from '../../db/orm.ts'
import { findSpaceOf } from '../../db/queries/spaces.ts'
import { subdomainFrom } from '../core/fields.ts'
import { Problem } from '../core/problem.ts'
import { procedure } from '../core/trpc.ts'

/** The base of what a person does with a session. Keys and tokens never get here. */
export const signedIn = procedure.use(({ ctx, next }) => {
  if (ctx.actor?.kind !== 'session') throw new Problem('sign_in_required')
  return next({ ctx: { session: ctx.actor, sql: sqlOf(ctx.em) } })
})

/** The base of what a participant does to the space named by the input's `subdomain`. */
export const asParticipant = signedIn.use(async ({ ctx, getRawInput, next }) => {
  const subdomain = subdomainFrom(await getRawInput())
  const row = subdomain === null ? undefined : await findSpaceOf(ctx.sql, ctx.session.accountId, subdomain)
  if (!row) throw new Problem('space_not_found')
  return next({
    ctx: {
      space: { id: row.space_id, subdomain: row.subdomain, name: row.name, iconId: row.icon_id },
      participantId: row.participant_id,
    },
  })
})
