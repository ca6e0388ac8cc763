import { z } from 'zod'
import type { ContinuedDraft } from '../../../db/queries/drafts.ts'
import { id, text, timestamp } from '../../api/fields.ts'
import { limits, rules, userRules } from '../../api/rules.ts'

/**
 * Identifies the item that a draft edits: the id of a page, part or post, the key of a record, or, for a new item, an
 * id that its editor chose.
 */
const thing = z.string().regex(/^[a-z0-9](?:[a-z0-9-]{0,58}[a-z0-9])?$/, { error: 'must be an id or a key' })

/** A name as typed so far. The rules for names apply only when the item is saved. */
const typed = text({ max: 200 })

const postText = text({ max: userRules.post.html.max_bytes })

/** The fields of each editor. Only their sizes are limited, because a draft can be incomplete. */
export const draftFields = {
  page: z.strictObject({
    slug: typed,
    kind: z.enum(rules.page.kinds),
    html: text({ max: rules.page.html_max_length }),
  }),
  part: z.strictObject({ name: typed, html: text({ max: rules.part.html_max_length }) }),
  record: z.strictObject({
    key: typed,
    /** JSON as typed; with its white space it can be longer than the stored value. */
    text: text({ max: 4 * rules.data.value_max_bytes }),
    description: text({ max: limits.dataDescription }),
  }),
  post: z.strictObject({
    format: z.enum(userRules.post.formats),
    markdown: postText,
    html: postText,
    url: text({ max: userRules.post.url.max_length }),
    text: text({ max: 10 * userRules.post.text.max_length }),
    tags: z.array(typed).max(50),
  }),
}

const contentOf = <Fields extends z.ZodObject>(fields: Fields) =>
  z.strictObject({
    fields,
    /** The stored version when the edits began; null for an item that was never saved. */
    base: z
      .strictObject({
        fields,
        /** `updated_at`, or the version of a record. */
        version: z.string().max(40),
      })
      .nullable(),
    /** A random id that the editor generated for itself. */
    editor: id('editor').optional(),
  })

export const draftContent = {
  page: contentOf(draftFields.page),
  part: contentOf(draftFields.part),
  record: contentOf(draftFields.record),
  post: contentOf(draftFields.post),
}

/** `updated_at` of the draft that the editor continues; null if there was none. Checked only if `editor` is given. */
const continues = z.iso.datetime().nullish()

const place = { thing, is_new: z.boolean(), continues }

/**
 * Input for discarding a draft. These fields show whether another window has stored the draft in the meantime. If so,
 * the service does not discard the draft.
 */
export const discarded = { editor: id('editor').optional(), continues }

/** Identifies the draft that an editor continues; undefined if the editor sent no id. */
export const continuedDraft = ({
  editor,
  continues,
}: {
  editor?: string | undefined
  continues?: string | null | undefined
}): ContinuedDraft | undefined =>
  editor === undefined ? undefined : { editor, continues: continues == null ? null : new Date(continues) }

/** A draft to store, with the fields of its kind. */
export const newDraft = <Shape extends z.ZodRawShape>(shape: Shape) => ({
  page: z.strictObject({ ...shape, ...place, kind: z.literal('page'), ...draftContent.page.shape }),
  part: z.strictObject({ ...shape, ...place, kind: z.literal('part'), ...draftContent.part.shape }),
  record: z.strictObject({ ...shape, ...place, kind: z.literal('record'), ...draftContent.record.shape }),
})

export const NewPostDraft = z.strictObject({ ...place, ...draftContent.post.shape })

export const spaceKind = z.enum(['page', 'part', 'record'])
export const draftThing = thing

const kept = { updated_at: timestamp }

/** A stored draft with the fields of its kind. */
export const Kept = {
  page: z.object({ kind: z.literal('page'), ...draftContent.page.shape, ...kept }),
  part: z.object({ kind: z.literal('part'), ...draftContent.part.shape, ...kept }),
  record: z.object({ kind: z.literal('record'), ...draftContent.record.shape, ...kept }),
  post: z.object({ ...draftContent.post.shape, ...kept }),
}

/** The other participants who have a draft of the same item. */
export const Others = z.array(z.object({ handle: z.string(), updated_at: timestamp }))

export const Listed = z.object({
  thing: z.string(),
  is_new: z.boolean(),
  /** The slug, name or key in the draft. For a post, the first characters of its body or link. May be empty. */
  name: z.string(),
  updated_at: timestamp,
})
