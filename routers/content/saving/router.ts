import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import { listData } from '../../../db/queries/data.ts'
import { listFiles } from '../../../db/queries/files.ts'
import { listPages } from '../../../db/queries/pages.ts'
import { listParts } from '../../../db/queries/parts.ts'
import { inSpace } from '../../access/in-space.ts'
import { asParticipant } from '../../access/signed-in.ts'
import { subdomain, timestamp } from '../../core/fields.ts'
import { router } from '../../core/trpc.ts'
import { vocabulary } from '../../liquid/vocabulary.ts'
import { type DerivedSchema, deriveSchema } from '../data/derive-schema.ts'
import type { Json } from '../data/json.ts'
import { LARGE } from '../data/shown.ts'
import { NewPage, Page, PageWithHtml, pageId } from '../pages/schema.ts'
import { shown as shownPage } from '../pages/shown.ts'
import { changePage, type PageBefore } from '../pages/write.ts'
import { NewPart, Part, partId } from '../parts/schema.ts'
import { shown as shownPart } from '../parts/shown.ts'
import { changePart, type PartBefore } from '../parts/write.ts'

/** What a text was like when somebody began to change it: its `updated_at`. */
const base = timestamp

/** Somebody else wrote in between, so that saving would undo what they did. */
class Overtaken<Theirs> extends Error {
  readonly theirs: Theirs

  constructor(theirs: Theirs) {
    super()
    this.theirs = theirs
  }
}

const Vocabulary = z.object({
  tags: z.array(z.string()),
  blocks: z.array(z.string()).meta({ description: 'Those tags that hold something, up to their end' }),
  filters: z.array(z.string()),
  pages: z.array(z.string()).meta({ description: 'Slugs' }),
  parts: z.array(z.string()).meta({ description: 'Names' }),
  files: z.array(z.object({ name: z.string(), url: z.string() })),
  data: z.array(z.object({ key: z.string(), schema: z.custom<DerivedSchema>() })),
})

/** @throws Overtaken when what is stored is not what somebody began with */
const unlessOvertaken = (base: string) => (before: { updated_at: Date }) => {
  if (before.updated_at.toISOString() !== base) throw new Overtaken(before)
}

/** What the screen does with pages and parts beside what every caller can do. */
export const templates = router({
  /**
   * Saves a page, unless it has changed since `base` into something else than what is to be saved: then nothing is
   * written, and the answer is the page as it is. Decided under the space's lock.
   */
  savePage: inSpace('pages')
    .input(NewPage.omit({ kind: true }).extend({ page_id: pageId, kind: Page.shape.kind, base }))
    .output(
      z.discriminatedUnion('saved', [
        z.object({ saved: z.literal(true), page: Page }),
        z.object({ saved: z.literal(false), theirs: PageWithHtml }),
      ]),
    )
    .mutation(async ({ ctx, input: { page_id, slug, kind, html, base } }) => {
      const show = (row: Parameters<typeof shownPage>[2]) => shownPage(ctx.core.addresses, ctx.space, row)
      try {
        const row = await changePage(ctx, { page_id, slug, kind, html }, unlessOvertaken(base))
        return { saved: true, page: show(row) }
      } catch (error) {
        if (!(error instanceof Overtaken)) throw error
        const { theirs } = error as Overtaken<PageBefore>
        return { saved: false, theirs: { ...show(theirs), html: theirs.html } }
      }
    }),

  /** Saves a part as `savePage` does a page. */
  savePart: inSpace('pages')
    .input(NewPart.extend({ part_id: partId, base }))
    .output(
      z.discriminatedUnion('saved', [
        z.object({ saved: z.literal(true), part: Part }),
        z.object({ saved: z.literal(false), theirs: Part.extend({ html: z.string() }) }),
      ]),
    )
    .mutation(async ({ ctx, input: { part_id, name, html, base } }) => {
      try {
        return {
          saved: true,
          part: shownPart(await changePart(ctx, { part_id, name, html }, unlessOvertaken(base))),
        }
      } catch (error) {
        if (!(error instanceof Overtaken)) throw error
        const { theirs } = error as Overtaken<PartBefore>
        return { saved: false, theirs: { ...shownPart(theirs), html: theirs.html } }
      }
    }),

  /** What a template of the space can name: the words of the language, and what is in the space by its names. */
  vocabulary: asParticipant
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
        // A large value takes milliseconds to look through; others get a turn before the next one.
        if (value.length > LARGE) await setImmediate()
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
