import { z } from 'zod'
import { subdomain } from '../api/fields.ts'
import { inSpace } from '../api/in-space.ts'
import { shownText } from '../api/shown-text.ts'
import { router } from '../api/trpc.ts'
import { key } from '../content/data/schema.ts'
import { pageId } from '../content/pages/schema.ts'
import { name as partName } from '../content/parts/schema.ts'
import { TemplateFault } from '../content/previews/schema.ts'
import { checkPages } from './check-pages.ts'

const isComplete = z.boolean()

/** A page, part or record that was saved; a part with its name, and its earlier name if it was renamed. */
const Saved = z.union([
  z.strictObject({ page_id: pageId }),
  z.strictObject({ part_names: z.array(partName).min(1).max(2) }),
  z.strictObject({ record_key: key }),
])

/** What the dashboard shows about the delivery of a site. */
export const delivery = router({
  /** The pages that show visitors a template error now: of all pages, or of those that `saved` can have broken. */
  failingPages: inSpace({ sessionOnly: true })
    .input(z.strictObject({ subdomain, saved: Saved.optional() }))
    .output(
      z.object({
        pages: z.array(z.object({ id: z.string(), slug: z.string(), error: TemplateFault })),
        /** Whether every page was evaluated. */
        is_complete: isComplete,
      }),
    )
    .query(async ({ ctx: { core, accountId, space }, input: { saved } }) => {
      const { failing, isComplete } = await checkPages(core, accountId, space, saved)
      return { pages: failing, is_complete: isComplete }
    }),

  /** The titles of the pages' documents. Leaves out pages without a title. */
  pageTitles: inSpace({ sessionOnly: true })
    .input(z.strictObject({ subdomain }))
    .output(
      z.object({
        pages: z.array(z.object({ id: z.string(), slug: z.string(), title: z.string() })),
        /** Whether every page was evaluated. */
        is_complete: isComplete,
      }),
    )
    .query(async ({ ctx: { core, accountId, space } }) => {
      const { titled, isComplete } = await checkPages(core, accountId, space)
      const pages = titled.map(({ id, slug, title }) => ({ id, slug, title: shownText(title) }))
      return { pages: pages.filter(({ title }) => title !== ''), is_complete: isComplete }
    }),
})
