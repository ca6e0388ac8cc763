import { z } from 'zod'
import type { Addresses } from '../../api/addresses.ts'
import {
  address,
  evenIfInvalid,
  exampleIds,
  id,
  isStorable,
  text as plainText,
  timestamp,
} from '../../api/fields.ts'
import { userRules } from '../../api/rules.ts'
import { tags } from './tags.ts'

const { post: rule } = userRules

export const postId = id('post')

const format = z.enum(rule.formats).meta({
  description:
    '`html` is served unchanged on its own origin; `markdown` becomes a `rich` post, and its Markdown is not stored; `reblog` shares a link',
})

/** A body. Validation does not trim it or change it in any other way. */
const body = (maxBytes: number) =>
  z
    .string()
    .refine(isStorable, { error: 'must not contain U+0000 or a lone surrogate' })
    .refine(value => value.trim() !== '', { error: 'must not be blank' })
    .refine(value => Buffer.byteLength(value) <= maxBytes, {
      error: `must have at most ${maxBytes} bytes in UTF-8`,
    })
    .meta({ minLength: 1 })

const isWebAddress = (value: string): boolean =>
  !/[\s\p{Cc}]/u.test(value) && /^https?:\/\/[^/\\]/i.test(value) && URL.canParse(value)

const url = plainText({ max: rule.url.max_length, trim: true })
  .refine(isWebAddress, { error: 'must be an http or https address' })
  .meta({
    format: 'uri',
    minLength: 1,
    description: 'The link to share, when `format` is `reblog`. It is not fetched',
  })

const fields = {
  format: format.default(rule.default_format),
  html: body(rule.html.max_bytes).meta({ description: 'The document, when `format` is `html`' }).optional(),
  markdown: body(rule.markdown.max_bytes)
    .meta({
      description:
        'The text, when `format` is `markdown`: CommonMark with tables, strikethrough and bare links. HTML in it is shown as text',
    })
    .optional(),
  url: url.optional(),
  text: plainText({ max: rule.text.max_length, trim: true })
    .meta({
      description:
        'Your comment on the link, when `format` is `reblog`. Surrounding white space is removed first',
    })
    .optional(),
}

/** The required field and all fields of each format. */
export const FIELDS = {
  html: { required: 'html', all: ['html'] },
  markdown: { required: 'markdown', all: ['markdown'] },
  reblog: { required: 'url', all: ['url', 'text'] },
} as const

const CONTENT = ['html', 'markdown', 'url', 'text'] as const

export interface PostFields {
  format: (typeof rule.formats)[number]
  html?: string | undefined
  markdown?: string | undefined
  url?: string | undefined
  text?: string | undefined
}

/** Requires the fields of the format and refuses those of other formats. */
const checkFields = (value: PostFields, context: z.core.$RefinementCtx<PostFields>) => {
  if (!Object.hasOwn(FIELDS, value.format)) return
  const { required, all } = FIELDS[value.format]
  const refuse = (field: string, message: string) =>
    context.addIssue({ code: 'custom', path: [field], message })
  if (value[required] === undefined) refuse(required, `is required when format is ${value.format}`)
  for (const field of CONTENT)
    if (value[field] !== undefined && !all.includes(field as never))
      refuse(field, `is not a field of the format ${value.format}`)
}

const example = { format: 'markdown', markdown: '# Beans\n\nThey **grow**.' }

export const NewPost = z
  .strictObject({ ...fields, tags: tags.default([]) })
  .superRefine(checkFields, { when: evenIfInvalid })
  .meta({ examples: [{ ...example, tags: ['beans', 'garden'] }] })

export const PostBody = z
  .strictObject({ post_id: postId, ...fields })
  .superRefine(checkFields, { when: evenIfInvalid })
  .meta({ examples: [example] })

/** The `updated_at` of the version that the author edited; the write is refused if the post has changed since. */
export const knownUpdatedAt = z.iso
  .datetime({ precision: 3, error: 'must be the updated_at that you read' })
  .transform(text => new Date(text))
  .optional()

export const DraftChange = z
  .strictObject({ post_id: postId, ...fields, tags: tags.optional(), updated_at: knownUpdatedAt })
  .superRefine(checkFields, { when: evenIfInvalid })

export const Revision = z
  .strictObject({ post_id: postId, ...fields, updated_at: knownUpdatedAt })
  .superRefine(checkFields, { when: evenIfInvalid })

export const PreviewedBody = z.strictObject(fields).superRefine(checkFields, { when: evenIfInvalid })

/** A post as lists and writes return it. */
export const Post = z
  .object({
    id: z.string().meta({
      description: 'Stays the same when the body is replaced',
      examples: [exampleIds.post],
    }),
    url: address.meta({
      description: 'The address of the post: its own origin',
      examples: ['https://p4m8s2k7d3g9z6q5.posts.example'],
    }),
    author_handle: z.string().meta({ examples: ['robin'] }),
    format: z.enum(['html', 'rich', 'reblog']).meta({
      id: 'PostFormat',
      description: '`rich` is a post written in Markdown',
      examples: ['rich'],
    }),
    tags: z.array(z.string()).meta({ description: 'Sorted by name', examples: [['beans', 'garden']] }),
    published: z.boolean().meta({ description: 'False for a draft from the dashboard', examples: [true] }),
    published_at: timestamp.nullable().meta({ description: 'Null for a draft' }),
    created_at: timestamp,
    updated_at: timestamp,
    like_count: z.int().meta({ examples: [0] }),
    comment_count: z.int().meta({ examples: [0] }),
  })
  .meta({ id: 'Post' })

export const PostDetail = Post.extend({
  html: z.string().meta({
    description: 'The document at `url`: as it was sent if `format` is `html`, otherwise generated',
    examples: ['<!doctype html>\n<title>Beans</title>\n<h1>Beans</h1>\n<p>They <strong>grow</strong>.</p>'],
  }),
  reblog: z
    .object({
      url: address.meta({ examples: ['https://beans.example/'] }),
      text: z.string().nullable().meta({ description: 'Null when none was given' }),
    })
    .nullable()
    .meta({ description: 'The shared link; null unless `format` is `reblog`', examples: [null] }),
}).meta({ id: 'PostDetail' })

interface Row {
  id: string
  author_handle: string
  format: 'html' | 'rich' | 'reblog'
  tags: string[]
  published_at: Date | null
  created_at: Date
  updated_at: Date
  like_count: number | null
  comment_count: number | null
}

/** Converts a row to the API's post object. */
export const toPost = (addresses: Addresses, row: Row) => ({
  id: row.id,
  url: addresses.post(row.id),
  author_handle: row.author_handle,
  format: row.format,
  tags: row.tags,
  published: row.published_at !== null,
  published_at: row.published_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
  like_count: row.like_count ?? 0,
  comment_count: row.comment_count ?? 0,
})
