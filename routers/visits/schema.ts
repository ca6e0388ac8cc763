import { z } from 'zod'
import { subdomain, timestamp } from '../api/fields.ts'
import { limits } from '../api/rules.ts'

/** Maximum number of pages, sources and other names in a response. */
export const LISTED = 20

export const Period = z.strictObject({
  subdomain,
  days: z
    .int({ error: `must be a whole number from 1 to ${limits.visitDays}` })
    .min(1, { error: `must be a whole number from 1 to ${limits.visitDays}` })
    .max(limits.visitDays, { error: `must be a whole number from 1 to ${limits.visitDays}` })
    .default(30)
    .meta({ description: 'How many days to return, counted back from today, in UTC' }),
})

const requests = z.int()

export const Figures = z.object({
  is_counting: z.boolean().meta({ description: 'Whether visits are counted now' }),
  first_day: z.string().meta({ description: 'The first day of the period' }),
  last_day: z.string().meta({ description: 'The last day, today in UTC' }),
  views: z.int().meta({ description: 'Pages, lists and feeds that readers were sent' }),
  visitors: z.int().meta({
    description: 'The visitors of all days added up. Who comes back on another day is counted again',
  }),
  is_estimate: z
    .boolean()
    .meta({ description: 'Whether the number of visitors is only about right, because a day had very many' }),
  not_found: requests,
  failed: requests,
  days: z
    .array(
      z.object({
        day: z.string(),
        views: z.int(),
        visitors: z.int(),
        is_estimate: z.boolean(),
        not_found: requests,
        failed: requests,
      }),
    )
    .meta({ description: 'Oldest first. Leaves out days on which nothing was counted' }),
  hours: z
    .array(z.object({ hour: timestamp, views: z.int() }))
    .meta({ description: 'The last 24 hours. Leaves out hours without views' }),
  pages: z.array(z.object({ path: z.string(), views: z.int() })).meta({
    description: `The ${LISTED} paths with the most views`,
  }),
  sources: z.array(z.object({ host: z.string(), views: z.int() })).meta({
    description: `The ${LISTED} websites with the links that most readers followed to the site`,
  }),
  missing_paths: z.array(z.object({ path: z.string(), requests })).meta({
    description: 'The paths without a page that were requested most. Anyone can request any path',
  }),
  failing_paths: z.array(z.object({ path: z.string(), requests })).meta({
    description: 'The paths that showed readers an error most often',
  }),
})
