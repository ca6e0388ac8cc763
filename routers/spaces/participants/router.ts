import { z } from 'zod'
import { lockAccount } from '../../../db/queries/accounts.ts'
import { deleteDraftsInSpace } from '../../../db/queries/drafts.ts'
import { notifyOfParticipation } from '../../../db/queries/notifications.ts'
import {
  deleteInvitesOf,
  deleteParticipant,
  findParticipant,
  listParticipants,
  listRolesOfOthers,
  updateRole,
} from '../../../db/queries/participants.ts'
import type { Transaction } from '../../../db/transaction.ts'
import { recordEvent } from '../../api/audit.ts'
import { id, subdomain, timestamp } from '../../api/fields.ts'
import { inSpace, type ParticipantCall } from '../../api/in-space.ts'
import { invalid, Problem } from '../../api/problem.ts'
import { requireConfirmation } from '../../api/signed-in.ts'
import { router } from '../../api/trpc.ts'
import { endAccess } from './end-access.ts'
import { role } from './schema.ts'

const participantOfSpace = { subdomain, participant_id: id('participant') }

export const participants = router({
  list: inSpace({ sessionOnly: true })
    .input(z.strictObject({ subdomain }))
    .output(z.array(z.object({ id: z.string(), handle: z.string(), joined_at: timestamp, role })))
    .query(async ({ ctx }) => {
      const rows = await listParticipants(ctx.sql, ctx.space.id)
      return rows.map(row => ({ ...row, joined_at: row.joined_at.toISOString() }))
    }),

  /**
   * Leaves the space. Permanently deletes the keys, webhooks and invitations that the participant issued, and the
   * participant's drafts in the space.
   */
  leave: inSpace({ sessionOnly: true })
    .input(z.strictObject({ subdomain }))
    .output(z.void())
    .mutation(({ ctx }) =>
      // Count under the lock, so that the last two owners cannot both leave at the same time.
      ctx.writeMembership(async sql => {
        const person = await requirePerson(sql, ctx, ctx.participantId)
        await requireOtherOwner(sql, ctx, person)
        await endParticipation(sql, ctx, person)
        await recordEvent(sql, { spaceId: ctx.space.id }, 'participant_left', ctx.caller)
      }),
    ),

  /**
   * Makes a participant an owner or an editor. The keys, connected apps, webhooks and invitations of an owner who becomes
   * an editor end as when leaving. Requires a recent sign-in.
   */
  setRole: inSpace({ ownersOnly: true })
    .input(z.strictObject({ ...participantOfSpace, role }))
    .output(z.void())
    .mutation(async ({ ctx, input: { participant_id, role } }) => {
      await requireConfirmation(ctx.sql, ctx.caller)
      const { space, accountId } = ctx
      await ctx.writeMembership(async sql => {
        const person = await requirePerson(sql, ctx, participant_id)
        if (person.role === role) return
        if (role === 'editor') {
          await requireOtherOwner(sql, ctx, person)
          const ended = { accountId: person.account_id, spaceId: space.id, actor: accountId }
          await endAccess(sql, ended, 'became_editor')
          await deleteInvitesOf(sql, person.id)
        }
        await updateRole(sql, person.id, role)
        await recordEvent(sql, { spaceId: space.id }, 'role_changed', ctx.caller, { ...named(person), role })
        await notify(sql, ctx, person, role)
      })
    }),

  /** Removes another participant, with the same effects as if that person left. Requires a recent sign-in. */
  remove: inSpace({ ownersOnly: true })
    .input(z.strictObject(participantOfSpace))
    .output(z.void())
    .mutation(async ({ ctx, input: { participant_id } }) => {
      // The caller stays as an owner, so the space keeps one.
      if (participant_id === ctx.participantId)
        throw invalid('participant_id', 'is your own; leave the space instead')
      await requireConfirmation(ctx.sql, ctx.caller)
      await ctx.writeMembership(async sql => {
        const person = await requirePerson(sql, ctx, participant_id)
        await endParticipation(sql, ctx, person)
        await recordEvent(sql, { spaceId: ctx.space.id }, 'participant_removed', ctx.caller, named(person))
        await notify(sql, ctx, person, 'removed')
      })
    }),
})

type Person = NonNullable<Awaited<ReturnType<typeof findParticipant>>>

/** @throws `participant_not_found` */
const requirePerson = async (sql: Transaction, { space }: ParticipantCall, id: string): Promise<Person> => {
  const person = await findParticipant(sql, space.id, id)
  if (!person) throw new Problem('participant_not_found')
  return person
}

/** @throws `last_owner` or `last_participant` if the space would have no owner without this person */
const requireOtherOwner = async (
  sql: Transaction,
  { space }: ParticipantCall,
  { id, role }: Person,
): Promise<void> => {
  if (role !== 'owner') return
  const others = await listRolesOfOthers(sql, space.id, id)
  if (!others.includes('owner')) throw new Problem(others.length > 0 ? 'last_owner' : 'last_participant')
}

/** Deletes a participation, and with it the person's access, invitations and drafts in the space. */
const endParticipation = async (
  sql: Transaction,
  { space, accountId }: ParticipantCall,
  { id, account_id }: Person,
): Promise<void> => {
  await deleteDraftsInSpace(sql, account_id, space.id)
  await endAccess(sql, { accountId: account_id, spaceId: space.id, actor: accountId }, 'left')
  await deleteParticipant(sql, id)
}

/** The details by which an event names a person; `issuer` is the account that the label belongs to. */
const named = ({ handle, account_id }: Person) => ({ label: handle, issuer: account_id })

/** Tells a person what an owner has decided, unless it is the same person. */
const notify = async (
  sql: Transaction,
  { space, accountId }: ParticipantCall,
  { account_id }: Person,
  participation: 'owner' | 'editor' | 'removed',
): Promise<void> => {
  if (account_id === accountId) return
  await lockAccount(sql, account_id)
  await notifyOfParticipation(sql, account_id, participation, space, new Date())
}
