import { z } from 'zod'
import { lockAccount } from '../../../db/queries/accounts.ts'
import { hasAllMutes } from '../../../db/queries/full.ts'
import {
  countMutes,
  deleteFollowsBetween,
  deleteMute,
  insertMute,
  listMutes,
} from '../../../db/queries/mutes.ts'
import { handle } from '../../api/fields.ts'
import { byCreation, pageOf, timeCursor } from '../../api/pages.ts'
import { invalid, refuseIfFull } from '../../api/problem.ts'
import { signedIn } from '../../api/signed-in.ts'
import { router } from '../../api/trpc.ts'
import { accountIdOf, ListedPerson, listedPerson, PEOPLE_PER_PAGE } from '../people/listed-person.ts'

const Listing = z.object({
  people: z.array(
    ListedPerson.extend({
      /** Whether the person is blocked, not only muted. */
      is_blocked: z.boolean(),
    }),
  ),
  /** Null on the last page. */
  next: z.string().nullable(),
  /** How many people the account has muted or blocked. */
  count: z.int(),
})

/**
 * The people whose posts a person does not want to see. docs/decisions/0016-muted-and-blocked-people.md says what
 * muting and blocking do.
 */
export const mutes = router({
  /** Mutes a person; with `block`, also blocks them. Muting a person who is already blocked changes nothing. */
  add: signedIn
    .input(z.strictObject({ handle, block: z.boolean().default(false) }))
    .output(z.void())
    .mutation(async ({ ctx, input }) => {
      const { creationLimits } = ctx.core
      const { accountId } = ctx.session
      const mutedId = await accountIdOf(ctx.sql, input.handle)
      if (mutedId === accountId) throw invalid('handle', 'must be the handle of another person')
      const max = creationLimits.mutes
      await ctx.writeAccount(async sql => {
        const pair = { muterId: accountId, mutedId }
        // Without this lock, the other account could follow this one between the two statements below.
        if (input.block) await lockAccount(sql, mutedId)
        if (await insertMute(sql, pair, { isBlock: input.block, now: new Date() }))
          refuseIfFull(
            await hasAllMutes(sql, accountId, max + 1),
            `You can mute and block at most ${max} people. Unmute or unblock someone first.`,
          )
        if (input.block) await deleteFollowsBetween(sql, pair)
      })
    }),

  /** Unmutes or unblocks a person. Also succeeds if they are neither muted nor blocked. */
  remove: signedIn
    .input(z.strictObject({ handle }))
    .output(z.void())
    .mutation(async ({ ctx, input }) => {
      const mutedId = await accountIdOf(ctx.sql, input.handle)
      await ctx.transaction(sql => deleteMute(sql, { muterId: ctx.session.accountId, mutedId }))
    }),

  /** The people that the account has muted or blocked, latest first. Nobody else can see the list. */
  list: signedIn
    .input(z.strictObject({ cursor: timeCursor() }))
    .output(Listing)
    .query(async ({ ctx, input }) => {
      const { addresses } = ctx.core
      const [found, count] = await Promise.all([
        listMutes(ctx.sql, ctx.session.accountId, input.cursor, PEOPLE_PER_PAGE + 1),
        countMutes(ctx.sql, ctx.session.accountId),
      ])
      const { rows, next } = pageOf(found, PEOPLE_PER_PAGE, byCreation)
      return {
        people: rows.map(row => ({
          ...listedPerson(addresses, row, row.created_at),
          is_blocked: row.is_blocked,
        })),
        next,
        count,
      }
    }),
})
