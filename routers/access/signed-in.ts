import { sqlOf } from '../../db/orm.ts'
import type { SpaceWrite } from '../../db/space-write.ts'
import { subdomainFrom } from '../core/fields.ts'
import { Problem, problemOf } from '../core/problem.ts'
import { noteRefusal } from '../core/refusals.ts'
import { procedure } from '../core/trpc.ts'
import { authorOf } from './author.ts'
import { requireParticipant } from './participant.ts'
import { requireActive } from './suspension.ts'
import { writeSpace } from './write-space.ts'

/** The base of procedures that need a session. Keys and tokens are refused. */
export const signedIn = procedure.use(({ ctx, path, next }) => {
  if (ctx.actor?.kind !== 'session') throw new Problem('sign_in_required')
  requireActive(ctx.actor, path)
  return next({ ctx: { session: ctx.actor, sql: sqlOf(ctx.core.orm) } })
})

/** The base of procedures for participants of the space that the input's `subdomain` names. */
export const asParticipant = signedIn.use(async ({ ctx, getRawInput, next }) => {
  const subdomain = subdomainFrom(await getRawInput())
  const participation = await requireParticipant(ctx.sql, ctx.session.accountId, subdomain)
  /** Runs a write to the space's settings; see {@link writeSpace}. */
  const write = <T>(work: (write: SpaceWrite) => Promise<T>): Promise<T> =>
    writeSpace(ctx.core, participation.space.id, authorOf(ctx.session, ctx), work)
  const result = await next({ ctx: { ...participation, write } })
  // The base procedure counts refusals for the account, but does not know the space. Count them for the space here.
  if (!result.ok) noteRefusal(ctx, problemOf(result.error).problem, { spaceId: participation.space.id })
  return result
})
