import { z } from 'zod'
import {
  deleteDraft,
  findPreviewableDraft,
  listDrafts,
  listOtherDrafts,
  shareDraft,
} from '../../../db/queries/drafts.ts'
import { movePreviewLinks } from '../../../db/queries/preview-links.ts'
import { deleteSavedSchedule } from '../../../db/queries/schedules.ts'
import { id, subdomain, timestamp } from '../../api/fields.ts'
import { inSpace } from '../../api/in-space.ts'
import { Problem } from '../../api/problem.ts'
import { limits } from '../../api/rules.ts'
import { router } from '../../api/trpc.ts'
import {
  continuedDraft,
  discarded,
  draftFields,
  draftThing,
  Kept,
  Listed,
  newDraft,
  Others,
  spaceKind,
} from './schema.ts'
import { keepDraft, parseDraft, readDraft } from './store.ts'

const HOUR = 60 * 60_000

/** A response lists at most this many other participants who have a draft of the same item. */
const OTHERS = 10

const Place = z.strictObject({ subdomain, kind: spaceKind, thing: draftThing })

const toOther = ({ handle, updated_at }: { handle: string; updated_at: Date }) => ({
  handle,
  updated_at: updated_at.toISOString(),
})

const { page, part, record } = newDraft({ subdomain })

/** Unsaved edits of pages, parts and records. Only the dashboard's editors read and write them. */
export const unsaved = router({
  /** The caller's draft of an item; null if there is none. */
  get: inSpace({ sessionOnly: true })
    .input(Place)
    .output(z.object({ draft: z.discriminatedUnion('kind', [Kept.page, Kept.part, Kept.record]).nullable() }))
    .query(async ({ ctx, input: { kind, thing } }) => {
      const draft = await readDraft(ctx.sql, ctx.accountId, { spaceId: ctx.space.id, kind, thing })
      return { draft: draft && ({ ...draft, kind } as z.output<typeof Kept.page>) }
    }),

  /** The other participants who have a draft of an item. */
  others: inSpace({ sessionOnly: true })
    .input(Place)
    .output(Others)
    .query(async ({ ctx, input: { kind, thing } }) => {
      const place = { spaceId: ctx.space.id, kind, thing }
      return (await listOtherDrafts(ctx.sql, ctx.accountId, place, OTHERS)).map(toOther)
    }),

  /** Stores a draft, replacing the caller's earlier draft of the same item. */
  keep: inSpace({ sessionOnly: true })
    .meta({ bodyLimit: limits.draftBody })
    .input(z.discriminatedUnion('kind', [page, part, record]))
    .output(z.object({ updated_at: timestamp, others: Others }))
    .mutation(async ({ ctx, input }) => {
      const { accountId } = ctx
      const { kind, thing, is_new: isNew, fields, base, editor, continues } = input
      const place = { spaceId: ctx.space.id, kind, thing }
      const content = { isNew, fields, base, editor, continues } as Parameters<typeof keepDraft>[3]
      const updated_at = await keepDraft(ctx.writeAccount, accountId, place, content)
      const others = await listOtherDrafts(ctx.sql, accountId, place, OTHERS)
      return { updated_at, others: others.map(toOther) }
    }),

  /**
   * Deletes the caller's draft of an item, if there is one. If `editor` is given and another window has stored the
   * draft since, the draft is kept. `saved_as` is the id of the page as which a draft of a new page was saved; preview
   * links then show that page, and the draft is no longer scheduled.
   */
  discard: inSpace({ sessionOnly: true })
    .input(Place.extend({ ...discarded, saved_as: id('page or part').optional() }))
    .output(z.void())
    .mutation(async ({ ctx, input: { kind, thing, saved_as: savedAs, ...continued } }) => {
      const { accountId, space } = ctx
      const place = { spaceId: space.id, kind, thing }
      await ctx.writeAccount(async sql => {
        if (savedAs !== undefined && kind === 'page') {
          await movePreviewLinks(sql, accountId, space.id, { from: thing, to: savedAs })
          await deleteSavedSchedule(sql, accountId, space.id, thing)
        }
        await deleteDraft(sql, accountId, place, continuedDraft(continued))
      })
    }),

  /** The caller's drafts in a space, latest first. */
  list: inSpace({ sessionOnly: true })
    .input(z.strictObject({ subdomain }))
    .output(z.object({ drafts: z.array(Listed.extend({ kind: spaceKind })) }))
    .query(async ({ ctx }) => {
      const rows = await listDrafts(ctx.sql, ctx.accountId, ctx.space.id)
      return {
        drafts: rows.map(({ kind, updated_at, ...row }) => ({
          ...row,
          kind: kind as z.output<typeof spaceKind>,
          updated_at: updated_at.toISOString(),
        })),
      }
    }),

  /** Lets the other participants open the preview of the caller's draft for a day. */
  share: inSpace({ sessionOnly: true })
    .input(Place.extend({ kind: z.enum(['page', 'part']) }))
    .output(z.object({ draft_id: z.string(), shared_until: timestamp }))
    .mutation(async ({ ctx, input: { kind, thing } }) => {
      const { accountId } = ctx
      const until = new Date(Date.now() + limits.draftShareHours * HOUR)
      const draftId = await ctx.writeAccount(sql =>
        shareDraft(sql, accountId, { spaceId: ctx.space.id, kind, thing }, until),
      )
      if (draftId === undefined) throw new Problem('draft_not_found')
      return { draft_id: draftId, shared_until: until.toISOString() }
    }),

  /** A draft of a page or part to preview: the caller's own, or one that another participant shares. */
  shared: inSpace({ sessionOnly: true })
    .input(z.strictObject({ subdomain, draft_id: id('draft') }))
    .output(
      z.object({
        draft: z.discriminatedUnion('kind', [
          z.object({ kind: z.literal('page'), fields: draftFields.page }),
          z.object({ kind: z.literal('part'), fields: draftFields.part }),
        ]),
        /** The id of the edited page or part; null if it was never saved. */
        thing: z.string().nullable(),
        handle: z.string(),
        updated_at: timestamp,
        shared_until: timestamp.nullable(),
      }),
    )
    .query(async ({ ctx, input }) => {
      const row = await findPreviewableDraft(ctx.sql, ctx.accountId, ctx.space.id, input.draft_id, new Date())
      if (row?.kind !== 'page' && row?.kind !== 'part') throw new Problem('draft_not_found')
      const content = parseDraft(row.kind, row.content)
      if (!content) throw new Problem('draft_not_found')
      return {
        draft: { kind: row.kind, fields: content.fields } as {
          kind: 'page'
          fields: z.output<typeof draftFields.page>
        },
        thing: row.is_new ? null : row.thing,
        handle: row.handle,
        updated_at: row.updated_at.toISOString(),
        shared_until: row.shared_until?.toISOString() ?? null,
      }
    }),
})
