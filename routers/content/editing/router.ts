import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import { listData } from '../../../db/queries/data.ts'
import { listFiles } from '../../../db/queries/files.ts'
import { listPages } from '../../../db/queries/pages.ts'
import { listParts } from '../../../db/queries/parts.ts'
import { subdomain, timestamp } from '../../api/fields.ts'
import { inSpace } from '../../api/in-space.ts'
import { limits } from '../../api/rules.ts'
import { router } from '../../api/trpc.ts'
import { vocabulary } from '../../rendering/vocabulary.ts'
import { type DerivedSchema, deriveSchema } from '../data/derive-schema.ts'
import type { Json } from '../data/json.ts'
import { LONG_VALUE } from '../data/schema.ts'
import { changePage, type PageRow } from '../pages/change-page.ts'
import { Page, PageFields, PageWithHtml, pageId, toPage } from '../pages/schema.ts'
import { requireBase, StaleBase } from '../pages/stale-base.ts'
import { changePart, type PartRow } from '../parts/change-part.ts'
import { renamePart } from '../parts/rename-part.ts'
import { Part, PartFields, partId, toPart } from '../parts/schema.ts'

/** The `updated_at` of the version that the editor started from. */
const base = timestamp

const Vocabulary = z.object({
  tags: z.array(z.string()),
  blocks: z.array(z.string()).meta({ description: 'The tags that have an end tag' }),
  filters: z.array(z.string()),
  pages: z.array(z.string()).meta({ description: 'Slugs' }),
  parts: z.array(z.string()).meta({ description: 'Names' }),
  files: z.array(z.object({ name: z.string(), url: z.string() })),
  data: z.array(z.object({ key: z.string(), schema: z.custom<DerivedSchema>() })),
})

/** The ids of the pages and parts that include a part. */
const Uses = z
  .strictObject({ pages: z.array(pageId), parts: z.array(partId) })
  .refine(({ pages, parts }) => pages.length + parts.length <= limits.renamedUses, {
    error: `must have at most ${limits.renamedUses} pages and parts`,
  })

/** Procedures of the dashboard's editors for pages and parts. */
export const editing = router({
  /**
   * Saves a page. Under the space's lock, the procedure compares the stored page with the new page and with `base`:
   *
   * - If the stored page already equals the new page, the page counts as saved.
   * - Otherwise, if the stored version is `base`, the procedure writes the new page.
   * - Otherwise, another change came first. The procedure writes nothing and returns the stored page.
   */
  savePage: inSpace('pages')
    .input(PageFields.extend({ subdomain, page_id: pageId, base }))
    .output(
      z.discriminatedUnion('saved', [
        z.object({ saved: z.literal(true), page: Page }),
        z.object({ saved: z.literal(false), theirs: PageWithHtml }),
      ]),
    )
    .mutation(async ({ ctx, input: { subdomain: _, page_id, base, ...fields } }) => {
      const show = (row: PageRow) => toPage(ctx.core.addresses, ctx.space, row)
      try {
        const row = await changePage(ctx, page_id, fields, requireBase(base))
        return { saved: true, page: show(row) }
      } catch (error) {
        if (!(error instanceof StaleBase)) throw error
        const { theirs } = error as StaleBase<PageRow>
        return { saved: false, theirs: { ...show(theirs), html: theirs.html } }
      }
    }),

  /**
   * Saves a part under the same conditions as `savePage`. With `uses`, a new name also replaces the old one in the
   * pages and parts that include the part; `uses` must list all of them.
   */
  savePart: inSpace('pages')
    .input(PartFields.extend({ subdomain, part_id: partId, base, uses: Uses.optional() }))
    .output(
      z.discriminatedUnion('saved', [
        z.object({ saved: z.literal(true), part: Part }),
        z.object({ saved: z.literal(false), theirs: Part.extend({ html: z.string() }) }),
      ]),
    )
    .mutation(async ({ ctx, input: { subdomain: _, part_id, base, uses, ...fields } }) => {
      const check = requireBase(base)
      try {
        const saving = uses
          ? renamePart(ctx, part_id, fields, uses, check)
          : changePart(ctx, part_id, fields, check)
        return { saved: true, part: toPart(await saving) }
      } catch (error) {
        if (!(error instanceof StaleBase)) throw error
        const { theirs } = error as StaleBase<PartRow>
        return { saved: false, theirs: { ...toPart(theirs), html: theirs.html } }
      }
    }),

  /**
   * The names that the editor can complete in a template: Liquid's tags and filters, and names from the space's
   * content.
   */
  vocabulary: inSpace({ sessionOnly: true })
    .input(z.strictObject({ subdomain }))
    .output(Vocabulary)
    .query(async ({ ctx }) => {
      const [pages, parts, files, records] = await Promise.all([
        listPages(ctx.sql, ctx.space.id),
        listParts(ctx.sql, ctx.space.id),
        listFiles(ctx.sql, ctx.space.id),
        listData(ctx.sql, ctx.space.id),
      ])
      const data = []
      for (const { key, value } of records) {
        // A long value takes milliseconds to process; yield to other requests first.
        if (value.length > LONG_VALUE) await setImmediate()
        data.push({ key, schema: deriveSchema(JSON.parse(value) as Json) })
      }
      return {
        ...vocabulary,
        pages: pages.map(({ slug }) => slug),
        parts: parts.map(({ name }) => name),
        files: files.map(({ id, name }) => ({ name, url: ctx.core.addresses.file(id) })),
        data,
      }
    }),
})
