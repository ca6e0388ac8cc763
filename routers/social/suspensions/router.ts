import { z } from 'zod'
import { listSuspended } from '../../../db/queries/suspensions.ts'
import { asOperator } from '../../access/signed-in.ts'
import { handle } from '../../core/fields.ts'
import { invalid } from '../../core/problem.ts'
import { router } from '../../core/trpc.ts'
import { ListedPerson, listedPerson, PEOPLE_PER_PAGE } from '../people/listed-person.ts'
import { reason } from '../reports/take-down.ts'
import { readAccountCursor, writeAccountCursor } from './cursor.ts'
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
    .input(z.strictObject({ cursor: z.string().nullish() }))
    .output(Listing)
    .query(async ({ ctx, input }) => {
      const { addresses } = ctx.core
      const after = readAccountCursor(input.cursor ?? null)
      if (after === undefined) throw invalid('cursor', 'is not a cursor from an earlier response')
      const rows = await listSuspended(ctx.sql, after, PEOPLE_PER_PAGE + 1)
      const last = rows.length > PEOPLE_PER_PAGE ? rows[PEOPLE_PER_PAGE - 1] : undefined
      return {
        people: rows.slice(0, PEOPLE_PER_PAGE).map(row => ({
          ...listedPerson(addresses, row, row.suspended_at),
          reason: row.reason,
        })),
        next: last ? writeAccountCursor({ at: last.suspended_at, id: last.id }) : null,
      }
    }),
})
