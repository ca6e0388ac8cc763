import { z } from 'zod'
import { ID_PATTERN } from '../../../db/id.ts'
import { listSuspended } from '../../../db/queries/suspensions.ts'
import { handle } from '../../api/fields.ts'
import { pageOf, timeCursor, writeCursor } from '../../api/pages.ts'
import { asOperator } from '../../api/signed-in.ts'
import { router } from '../../api/trpc.ts'
import { ListedPerson, listedPerson, PEOPLE_PER_PAGE } from '../people/listed-person.ts'
import { reason } from '../reports/take-down.ts'
import { lift, suspend } from './decide.ts'

const Listing = z.object({
  people: z.array(ListedPerson.extend({ reason: z.string() })),
  /** Null on the last page. */
  next: z.string().nullable(),
})

/** What operators decide about accounts. `requireActive` says what suspended accounts cannot do. */
export const suspensions = router({
  /** Suspends an account, or replaces the reason for its suspension. Notifies the person. */
  add: asOperator
    .input(z.strictObject({ handle, reason }))
    .output(z.void())
    .mutation(({ ctx, input }) => suspend(ctx, input.handle, input.reason)),

  /** Lifts the suspension of an account, and notifies the person. */
  lift: asOperator
    .input(z.strictObject({ handle }))
    .output(z.void())
    .mutation(({ ctx, input }) => lift(ctx, input.handle)),

  /** Lists the suspended accounts. The most recently suspended account comes first. */
  list: asOperator
    .input(z.strictObject({ cursor: timeCursor(ID_PATTERN) }))
    .output(Listing)
    .query(async ({ ctx, input }) => {
      const { addresses } = ctx.core
      const after = input.cursor && { at: input.cursor.at, id: input.cursor.position }
      const found = await listSuspended(ctx.sql, after, PEOPLE_PER_PAGE + 1)
      const { rows, next } = pageOf(found, PEOPLE_PER_PAGE, ({ suspended_at: at, id: position }) =>
        writeCursor({ at, position }),
      )
      return {
        people: rows.map(row => ({
          ...listedPerson(addresses, row, row.suspended_at),
          reason: row.reason,
        })),
        next,
      }
    }),
})
