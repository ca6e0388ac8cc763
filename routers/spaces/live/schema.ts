import { z } from 'zod'
import { Change } from '../../content/history/schema.ts'

/** What a browser that follows spaces hears. */
export const LiveEvent = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('changes'),
    subdomain: z.string(),
    /** Newest first. */
    changes: z.array(Change),
    /** False if there are more changes, or if some of them are no longer in the history: read everything again. */
    is_complete: z.boolean(),
  }),
  /** People have opened or closed the space. */
  z.object({ kind: z.literal('people'), subdomain: z.string() }),
  /** The space does not exist, or the account does not participate in it. */
  z.object({ kind: z.literal('gone'), subdomain: z.string() }),
])

export type LiveEvent = z.output<typeof LiveEvent>

/** A person who has a space open. */
export const PresentPerson = z.object({
  handle: z.string(),
  name: z.string().nullable(),
  icon_url: z.string().nullable(),
})
