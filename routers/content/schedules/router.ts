import { z } from 'zod'
import type { Sql } from '../../../db/database.ts'
import { violatedConstraint } from '../../../db/errors.ts'
import { newId } from '../../../db/id.ts'
import { lockAccount } from '../../../db/queries/accounts.ts'
import { findDraft } from '../../../db/queries/drafts.ts'
import { findPage, findSlugs } from '../../../db/queries/pages.ts'
import {
  cancelSchedule,
  countSchedules,
  deleteRefusedSchedule,
  insertSchedule,
  listSchedules,
  type Scheduled,
} from '../../../db/queries/schedules.ts'
import { id, subdomain, timestamp } from '../../api/fields.ts'
import { inSpace, type ParticipantCall } from '../../api/in-space.ts'
import { fieldErrors, invalid, Problem, refuseIfFull } from '../../api/problem.ts'
import { limits } from '../../api/rules.ts'
import { router } from '../../api/trpc.ts'
import { PageFields, pageId } from '../pages/schema.ts'
import { draftThing } from '../unsaved/schema.ts'
import { parseDraft } from '../unsaved/store.ts'

const at = z.iso.datetime({ offset: true, error: 'must be a time' })

/** Stores a schedule. @param schedule reads what is scheduled, in the transaction that stores it */
const store = async (
  { writeMembership, space, accountId }: ParticipantCall,
  dueAt: string,
  schedule: (sql: Sql) => Promise<Scheduled>,
): Promise<{ id: string }> => {
  const { scheduleDays: maxDays } = limits
  const id = newId()
  const storing = writeMembership(async sql => {
    const scheduled = await schedule(sql)
    await deleteRefusedSchedule(sql, space.id, scheduled)
    // The space is locked; the account schedules in other spaces too.
    await lockAccount(sql, accountId)
    const { ofSpace, ofAccount } = await countSchedules(sql, space.id, accountId)
    refuseIfFull(
      ofSpace >= limits.schedules,
      `A space can have at most ${limits.schedules} scheduled saves and deletions. Cancel or remove one, then try again.`,
    )
    refuseIfFull(
      ofAccount >= limits.schedulesOfAccount,
      `An account can have at most ${limits.schedulesOfAccount} scheduled saves and deletions, in all spaces together.`,
    )
    const stored = { id, spaceId: space.id, accountId, ...scheduled, dueAt: new Date(dueAt), maxDays }
    if (!(await insertSchedule(sql, stored)))
      throw invalid('at', `must be in the future, at most ${maxDays} days ahead`)
  })
  await storing.catch((error: unknown) => {
    if (violatedConstraint(error) !== 'schedules_thing_unique') throw error
    throw new Problem('already_scheduled', { detail: 'Cancel what is scheduled for this page first.' })
  })
  return { id }
}

/** Saves and deletions of pages at a chosen time. */
export const schedules = router({
  /** What is scheduled in the space, or was refused, the next first. */
  list: inSpace({ sessionOnly: true })
    .input(z.strictObject({ subdomain }))
    .output(
      z.array(
        z.object({
          id: z.string(),
          action: z.enum(['save', 'delete']),
          /** The id of the page; for a page that was never saved, the id of its draft. */
          thing: z.string(),
          is_new: z.boolean(),
          /** The slug that the page will have; null if the page that was to be deleted no longer exists. */
          slug: z.string().nullable(),
          /** Who scheduled it. */
          handle: z.string(),
          at: timestamp,
          /** The code of the error for which it was not done; null if it is still scheduled. */
          failure: z.string().nullable(),
        }),
      ),
    )
    .query(async ({ ctx }) => {
      const rows = await listSchedules(ctx.sql, ctx.space.id)
      const deletions = rows.filter(({ action }) => action === 'delete').map(({ thing }) => thing)
      const pages = await findSlugs(ctx.sql, ctx.space.id, deletions)
      const slugs = new Map(pages.map(page => [page.id, page.slug]))
      return rows.map(({ due_at, slug, ...row }) => ({
        ...row,
        slug: slug ?? slugs.get(row.thing) ?? null,
        at: due_at.toISOString(),
      }))
    }),

  /**
   * Schedules to save the caller's draft of a page as it is now. Later changes of the draft are not saved with it.
   */
  save: inSpace({ sessionOnly: true })
    .input(z.strictObject({ subdomain, thing: draftThing, at }))
    .output(z.object({ id: z.string() }))
    .mutation(({ ctx, input: { thing, at } }) =>
      store(ctx, at, async sql => {
        const draft = await findDraft(sql, ctx.accountId, { spaceId: ctx.space.id, kind: 'page', thing })
        const content = draft && parseDraft('page', draft.content)
        if (!content) throw new Problem('draft_not_found')
        const { error } = PageFields.safeParse(content.fields)
        if (error) throw new Problem('validation_failed', { errors: fieldErrors(error) })
        const scheduled = { action: 'save', thing, content: draft.content } as const
        if (draft.is_new) return { ...scheduled, base: null }
        const page = await findPage(sql, ctx.space.id, thing)
        if (!page) throw new Problem('page_not_found')
        if (content.base && content.base.version !== page.updated_at.toISOString())
          throw new Problem('precondition_failed', {
            detail: 'The page was saved since you began to edit it. Compare both versions first.',
          })
        return { ...scheduled, base: page.updated_at }
      }),
    ),

  /** Schedules to delete a page. */
  delete: inSpace({ sessionOnly: true })
    .input(z.strictObject({ subdomain, page_id: pageId, at }))
    .output(z.object({ id: z.string() }))
    .mutation(({ ctx, input: { page_id: thing, at } }) =>
      store(ctx, at, async sql => {
        if (!(await findPage(sql, ctx.space.id, thing))) throw new Problem('page_not_found')
        return { action: 'delete', thing, content: null, base: null }
      }),
    ),

  /**
   * Cancels what is scheduled, or removes what was refused. Any participant can do so. The author of a save that is cancelled
   * keeps the draft.
   */
  cancel: inSpace({ sessionOnly: true })
    .input(z.strictObject({ subdomain, schedule_id: id('schedule') }))
    .output(z.void())
    .mutation(async ({ ctx, input }) => {
      const isDeleted = await ctx.transaction(sql => cancelSchedule(sql, ctx.space.id, input.schedule_id))
      if (!isDeleted) throw new Problem('schedule_not_found')
    }),
})
