import { z } from 'zod'
import type { PostChangeRow } from '../../../../db/queries/post-history.ts'
import { timestamp } from '../../../api/fields.ts'

/** The id of a change: its position in the table. */
export const changeId = z.string().regex(/^\d{1,18}$/, { error: 'is not the id of a change' })

/** A change to a post, without its text. */
export const Change = z.object({
  id: z.string(),
  post_id: z.string(),
  at: timestamp,
  action: z.enum(['change', 'delete']),
  cause: z.enum(['write', 'restore']),
  actor: z.object({
    kind: z.enum(['user_token', 'session']),
    /** Label of the token; null for the person's own change. */
    label: z.string().nullable(),
    /** Name that an agent's client sent; it can be anything. */
    agent: z.string().nullable(),
  }),
})

/** One version of a post. It has only the fields that the author of the post can change. */
export const Version = z.object({
  format: z.enum(['html', 'rich', 'reblog']),
  html: z.string().nullable(),
  /** The Markdown source; null for other formats, and for a version from the API. */
  markdown: z.string().nullable(),
  url: z.string().nullable(),
  text: z.string().nullable(),
  tags: z.array(z.string()),
})

/** Picks the fields of a version from a row. */
export const toVersion = ({
  format,
  html,
  markdown,
  url,
  text,
  tags,
}: z.output<typeof Version>): z.output<typeof Version> => ({ format, html, markdown, url, text, tags })

/** Converts a row to the change object. */
export const toChange = (row: PostChangeRow): z.output<typeof Change> => ({
  id: row.position,
  post_id: row.post_id,
  at: row.at.toISOString(),
  action: row.action,
  cause: row.cause,
  actor: { kind: row.actor_kind, label: row.actor_label, agent: row.agent },
})
