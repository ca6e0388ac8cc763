import { z } from 'zod'
import { countFollows, deleteFollow, insertFollow, listFollows } from '../../../db/queries/follows.ts'
import { hasAllFollows } from '../../../db/queries/full.ts'
import { findMute } from '../../../db/queries/mutes.ts'
import { handle } from '../../api/fields.ts'
import { byCreation, pageOf, timeCursor } from '../../api/pages.ts'
import { invalid, refuseIfFull } from '../../api/problem.ts'
import { signedIn } from '../../api/signed-in.ts'
import { router } from '../../api/trpc.ts'
import { accountIdOf, ListedPerson, listedPerson, PEOPLE_PER_PAGE } from '../people/listed-person.ts'

const Listing = z.object({
  people: z.array(ListedPerson),
  /** Null on the last page. */
  next: z.string().nullable(),
  /** How many people the account follows. */
  count: z.int(),
})

export const follows = router({
  /** Follows a person. Following them again changes nothing. Refused if one of the two has blocked the other. */
  add: signedIn
    .meta({ isRefusedWhileSuspended: true })
    .input(z.strictObject({ handle }))
    .output(z.void())
    .mutation(async ({ ctx, input }) => {
      const { creationLimits } = ctx.core
      const { accountId } = ctx.session
      const followedId = await accountIdOf(ctx.sql, input.handle)
      if (followedId === accountId) throw invalid('handle', 'must be the handle of another person')
      const max = creationLimits.follows
      await ctx.writeAccount(async sql => {
        if ((await findMute(sql, accountId, followedId)) === 'blocked')
          throw invalid('handle', 'belongs to a person whom you have blocked; unblock them first')
        if ((await findMute(sql, followedId, accountId)) === 'blocked')
          throw invalid('handle', 'belongs to a person you can’t follow')
        const follow = { follower_id: accountId, followed_id: followedId, created_at: new Date() }
        if (await insertFollow(sql, follow))
          refuseIfFull(
            await hasAllFollows(sql, accountId, max + 1),
            `You can follow at most ${max} people. Unfollow someone first.`,
          )
      })
    }),

  /** Stops following a person. Also succeeds if the account does not follow them. */
  remove: signedIn
    .input(z.strictObject({ handle }))
    .output(z.void())
    .mutation(async ({ ctx, input }) => {
      const followedId = await accountIdOf(ctx.sql, input.handle)
      await ctx.transaction(sql => deleteFollow(sql, ctx.session.accountId, followedId))
    }),

  /** The people that the account follows, from the newest follow to the oldest. Nobody else can see the list. */
  list: signedIn
    .input(z.strictObject({ cursor: timeCursor() }))
    .output(Listing)
    .query(async ({ ctx, input }) => {
      const { addresses } = ctx.core
      const [found, count] = await Promise.all([
        listFollows(ctx.sql, ctx.session.accountId, input.cursor, PEOPLE_PER_PAGE + 1),
        countFollows(ctx.sql, ctx.session.accountId),
      ])
      const { rows, next } = pageOf(found, PEOPLE_PER_PAGE, byCreation)
      return {
        people: rows.map(row => listedPerson(addresses, row, row.created_at)),
        next,
        count,
      }
    }),
})
