import { withMembershipLocked } from '../../db/locks.ts'
import { type Sql, sqlOf } from '../../db/orm.ts'
import type { Operation, SpaceWrite } from '../../db/space-write.ts'
import { subdomainFrom } from '../core/fields.ts'
import { Problem, problemOf } from '../core/problem.ts'
import { noteRefusal } from '../core/refusals.ts'
import { procedure } from '../core/trpc.ts'
import { authorOf } from './author.ts'
import { callersWrites, checkParticipating, checkSignedIn } from './caller-check.ts'
import { requireParticipant } from './participant.ts'
import { requireActive } from './suspension.ts'
import { writeSpace } from './write-space.ts'

/** The base of procedures that need a session. Keys and tokens are refused. */
export const signedIn = procedure.use(({ ctx, meta, next }) => {
  if (ctx.actor?.kind !== 'session') throw new Problem('sign_in_required')
  requireActive(ctx.actor, meta)
  const { orm } = ctx.core
  const writes = callersWrites(orm, ctx.actor.accountId, checkSignedIn(ctx.actor, meta))
  return next({ ctx: { session: ctx.actor, sql: sqlOf(orm), ...writes } })
})

/** The base of procedures for participants of the space that the input's `subdomain` names. */
export const asParticipant = signedIn.use(async ({ ctx, getRawInput, next }) => {
  const subdomain = subdomainFrom(await getRawInput())
  const participation = await requireParticipant(ctx.sql, ctx.session.accountId, subdomain)
  const { id } = participation.space
  const writes = callersWrites(ctx.core.orm, ctx.session.accountId, checkParticipating(ctx.session, id))
  /** Runs a write to the space's content or settings; see {@link writeSpace}. */
  const write = <T>(work: (write: SpaceWrite) => Promise<T>, operation?: Operation): Promise<T> =>
    writeSpace(ctx, id, authorOf(ctx.session, ctx), writes.check, work, operation)
  /** Runs a write to the space's participants, keys or invitations; see {@link withMembershipLocked}. */
  const writeMembership = <T>(work: (sql: Sql) => Promise<T>): Promise<T> =>
    withMembershipLocked(ctx.core.orm, id, work, writes.check)
  const result = await next({ ctx: { ...participation, ...writes, write, writeMembership } })
  // The base procedure counts refusals for the account, but does not know the space. Count them for the space here.
  if (!result.ok) noteRefusal(ctx, problemOf(result.error).problem, { spaceId: participation.space.id })
  return result
})
