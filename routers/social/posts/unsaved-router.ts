import { z } from 'zod'
import { deleteDraft, listDrafts } from '../../../db/queries/drafts.ts'
import { timestamp } from '../../api/fields.ts'
import { limits } from '../../api/rules.ts'
import { shownText } from '../../api/shown-text.ts'
import { signedIn } from '../../api/signed-in.ts'
import { router } from '../../api/trpc.ts'
import {
  continuedDraft,
  discarded,
  draftThing,
  Kept,
  Listed,
  NewPostDraft,
} from '../../content/unsaved/schema.ts'
import { keepDraft, readDraft } from '../../content/unsaved/store.ts'
import { titleOfText } from './title.ts'

const placeOf = (thing: string) => ({ spaceId: null, kind: 'post', thing }) as const

/** Unsaved edits of posts. Only the dashboard's editor reads and writes them. */
export const unsavedPosts = router({
  /** The caller's unsaved edits of a post; null if there are none. */
  get: signedIn
    .input(z.strictObject({ thing: draftThing }))
    .output(z.object({ draft: Kept.post.nullable() }))
    .query(async ({ ctx, input }) => ({
      draft: await readDraft(ctx.sql, ctx.session.accountId, placeOf(input.thing)),
    })),

  /** Stores unsaved edits, replacing the caller's earlier ones of the same post. */
  keep: signedIn
    .meta({ bodyLimit: limits.draftBody })
    .input(NewPostDraft)
    .output(z.object({ updated_at: timestamp }))
    .mutation(async ({ ctx, input: { thing, is_new: isNew, ...content } }) => ({
      updated_at: await keepDraft(ctx.writeAccount, ctx.session.accountId, placeOf(thing), {
        isNew,
        ...content,
      }),
    })),

  /**
   * Deletes the caller's unsaved edits of a post, if there are any. If `editor` is given, does not delete edits that
   * another window has stored.
   */
  discard: signedIn
    .input(z.strictObject({ thing: draftThing, ...discarded }))
    .output(z.void())
    .mutation(async ({ ctx, input: { thing, ...continued } }) => {
      const { accountId } = ctx.session
      await ctx.writeAccount(sql => deleteDraft(sql, accountId, placeOf(thing), continuedDraft(continued)))
    }),

  /** The posts with unsaved edits of the caller, latest first. */
  list: signedIn
    .input(z.strictObject({}).optional())
    .output(z.object({ drafts: z.array(Listed) }))
    .query(async ({ ctx }) => {
      const rows = await listDrafts(ctx.sql, ctx.session.accountId, null)
      return {
        drafts: rows.map(({ thing, is_new, name, format, updated_at }) => ({
          thing,
          is_new,
          name: shownText(titleOfText(format, name)),
          updated_at: updated_at.toISOString(),
        })),
      }
    }),
})
