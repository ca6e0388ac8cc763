import { z } from 'zod'
import type { Sql } from '../../../db/database.ts'
import { newId } from '../../../db/id.ts'
import { findPage } from '../../../db/queries/pages.ts'
import { findPart } from '../../../db/queries/parts.ts'
import { inSpace } from '../../api/in-space.ts'
import { Problem } from '../../api/problem.ts'
import type { MarkedOutcome } from '../../api/renderer.ts'
import { limits, rules } from '../../api/rules.ts'
import { signedIn } from '../../api/signed-in.ts'
import { router } from '../../api/trpc.ts'
import {
  type DraftPart,
  evaluateForAuthor,
  evaluateForEditor,
  evaluateWithRecord,
  UNNAMED,
} from './evaluate-for-author.ts'
import { LatestOnly } from './latest-only.ts'
import { PageDraft, PartDraft, Preview, RecordDraft } from './schema.ts'

const NAME = new RegExp(rules.part.name.pattern)

const latest = new LatestOnly()

const evaluate = (isMarked = false) => (isMarked ? evaluateForEditor : evaluateForAuthor)

const partsBeside = (beside: z.output<typeof PageDraft>['beside'] = []): DraftPart[] =>
  beside.map(({ name, html }) => ({ id: name, names: [name], html }))

const toPreview = (result: MarkedOutcome | null, kind: 'scripted' | 'static'): z.output<typeof Preview> => {
  if (!result) return { outcome: 'superseded' }
  return result.ok
    ? {
        outcome: 'document',
        html: result.html.toString(),
        kind,
        review: result.review ?? { hints: [], links: [], removed: [] },
        ...(result.marks && { marks: result.marks }),
      }
    : { outcome: 'error', error: result.error }
}

/** Returns the page in which a part is previewed: a stored page, or a page that contains nothing but the part. */
const pageAround = async (sql: Sql, spaceId: string, partName: string, pageId: string | undefined) => {
  if (pageId === undefined)
    return { slug: UNNAMED, kind: 'scripted' as const, html: `{% include '${partName}' %}` }
  const page = await findPage(sql, spaceId, pageId)
  if (!page) throw new Problem('page_not_found')
  return page
}

/** Previews of unsaved pages, parts and records. Nothing is stored. */
export const previews = router({
  /**
   * Returns a new random origin on which an editor shows its drafts. See facades/site/handlers/preview.ts.
   */
  origin: signedIn
    .input(z.strictObject({}).optional())
    .output(z.string())
    .query(({ ctx }) => ctx.core.addresses.preview(newId())),

  /** Evaluates an unsaved page with the content of its space. */
  page: inSpace({ sessionOnly: true })
    .meta({ bodyLimit: limits.draftBody })
    .input(PageDraft)
    .output(Preview)
    .mutation(async ({ ctx, input: { editor, slug, kind, html, marked, beside } }) => {
      const result = await latest.run(ctx.accountId, editor, () =>
        evaluate(marked)(ctx, { slug, kind, html }, partsBeside(beside)),
      )
      return toPreview(result, kind)
    }),

  /** Evaluates a page with an unsaved part in place of the stored one. */
  part: inSpace({ sessionOnly: true })
    .meta({ bodyLimit: limits.draftBody })
    .input(PartDraft)
    .output(Preview)
    .mutation(async ({ ctx, input }) => {
      const stored =
        input.part_id === undefined ? undefined : await findPart(ctx.sql, ctx.space.id, input.part_id)
      const name = NAME.test(input.name) ? input.name : (stored?.name ?? UNNAMED)
      const page = await pageAround(ctx.sql, ctx.space.id, name, input.page_id)
      const names = [...new Set([name, stored?.name ?? name])]
      const part = { id: input.part_id ?? '', names, html: input.html }
      const result = await latest.run(ctx.accountId, input.editor, () =>
        evaluate(input.marked)(ctx, page, [...partsBeside(input.beside), part]),
      )
      return toPreview(result, page.kind)
    }),

  /** Evaluates a stored page with an unsaved record in place of the stored one. */
  record: inSpace({ sessionOnly: true })
    .meta({ bodyLimit: limits.draftBody })
    .input(RecordDraft)
    .output(Preview)
    .mutation(async ({ ctx, input: { editor, page_id, key, value } }) => {
      const page = await findPage(ctx.sql, ctx.space.id, page_id)
      if (!page) throw new Problem('page_not_found')
      const record = { key, json: JSON.stringify(value) }
      const result = await latest.run(ctx.accountId, editor, () => evaluateWithRecord(ctx, page, record))
      return toPreview(result, page.kind)
    }),
})
