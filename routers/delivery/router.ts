import { z } from 'zod'
import { subdomain } from '../api/fields.ts'
import { inSpace } from '../api/in-space.ts'
import { shownText } from '../api/shown-text.ts'
import { router } from '../api/trpc.ts'
import { TemplateFault } from '../content/previews/schema.ts'
import { checkPages } from './check-pages.ts'

const isComplete = z.boolean()

/** What the dashboard shows about the delivery of a site. */
export const delivery = router({
  /** The pages that show visitors a template error now. */
  failingPages: inSpace({ sessionOnly: true })
    .input(z.strictObject({ subdomain }))
    .output(
      z.object({
        pages: z.array(z.object({ id: z.string(), slug: z.string(), error: TemplateFault })),
        /** Whether every page was evaluated. */
        is_complete: isComplete,
      }),
    )
    .query(async ({ ctx: { core, accountId, space } }) => {
      const { failing, isComplete } = await checkPages(core, accountId, space)
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
