import { z } from 'zod'
import { listRecentChanges, spaceUsage } from '../../db/queries/spaces.ts'
import { subdomain, timestamp } from '../api/fields.ts'
import { inSpace } from '../api/in-space.ts'

/** Maximum number of recent changes in the response. */
const MAX_CHANGES = 8

const Overview = z.object({
  usage: z.object({
    pages: z.int(),
    home_page_id: z.string().nullable(),
    parts: z.int(),
    parts_length: z.int(),
    records: z.int(),
    data_bytes: z.int(),
    files: z.int(),
    file_bytes: z.int(),
    participants: z.int(),
    keys: z.int(),
    is_used_by_agent: z.boolean(),
    is_edited: z.boolean(),
  }),
  /** How many of each resource the space can have. */
  limits: z.object({ pages: z.int(), parts: z.int(), files: z.int(), participants: z.int() }),
  changes: z.array(
    z.object({
      kind: z.enum(['page', 'part', 'record', 'file']),
      id: z.string(),
      name: z.string(),
      changed_at: timestamp,
      is_new: z.boolean(),
    }),
  ),
})

/** A space's usage with its limits, and recent changes. */
export const overview = inSpace({ sessionOnly: true })
  .input(z.strictObject({ subdomain }))
  .output(Overview)
  .query(async ({ ctx: { core, sql, space } }) => {
    const [usage, changes] = await Promise.all([
      spaceUsage(sql, space.id, new Date()),
      listRecentChanges(sql, space.id, MAX_CHANGES),
    ])
    const { pages, parts, files, participants } = core.creationLimits
    return {
      usage,
      limits: { pages, parts, files, participants },
      changes: changes.map(change => ({ ...change, changed_at: change.changed_at.toISOString() })),
    }
  })
