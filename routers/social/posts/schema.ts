import { z } from 'zod'
import { address, evenIfInvalid, id, isStorable, text as plainText, timestamp } from '../../core/fields.ts'
import { userRules } from '../../core/rules.ts'
import { tags } from './tags.ts'

const { post: rule } = userRules

export const postId = id('post')

const format = z.enum(rule.formats).meta({
  id: 'PostBodyFormat',
  description:
    '`html` is served unchanged on an origin of its own; `markdown` becomes a `rich` post, and is not kept; `reblog` shares an address',
})

/** A body that is kept as it was sent, to the byte. */
const body = (maxBytes: number) =>
  z
    .string()
    .refine(isStorable, { error: 'must not hold U+0000 or a lone surrogate' })
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
    description: 'The address to share, when `format` is `reblog`. It is not fetched',
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
        'What to say of the shared address, when `format` is `reblog`. White space around it is removed first',
    })
    .optional(),
}

/** Which fields each format needs, and which else it may have. */
const FIELDS = {
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

/** Holds the fields against the format: each has its own, and those of another are refused (decision 34). */
const judgeFields = (value: PostFields, context: z.core.$RefinementCtx<PostFields>) => {
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
  .superRefine(judgeFields, { when: evenIfInvalid })
  .meta({ examples: [{ ...example, tags: ['beans', 'garden'] }] })

export const PostBody = z
  .strictObject({ post_id: postId, ...fields })
  .superRefine(judgeFields, { when: evenIfInvalid })
  .meta({ examples: [example] })

/** When a post was last changed as one knows it: the change is refused where somebody has written since. */
export const knownAs = z.iso
  .datetime({ precision: 3, error: 'must be the updated_at of the post as it was read' })
  .transform(text => new Date(text))
  .optional()

export const DraftChange = z
  .strictObject({ post_id: postId, ...fields, tags: tags.optional(), updated_at: knownAs })
  .superRefine(judgeFields, { when: evenIfInvalid })

export const Revision = z
  .strictObject({ post_id: postId, ...fields, updated_at: knownAs })
  .superRefine(judgeFields, { when: evenIfInvalid })

export const PreviewedBody = z.strictObject(fields).superRefine(judgeFields, { when: evenIfInvalid })

/** A post as lists and writes show it. */
export const Post = z
  .object({
    id: z.string().meta({ description: 'Stays when the body is replaced', examples: ['p4m8s2k7d3g9z6q5'] }),
    url: address.meta({
      description: "The post's own origin",
      examples: ['https://p4m8s2k7d3g9z6q5.posts.example'],
    }),
    author_handle: z.string().meta({ examples: ['robin'] }),
    format: z.enum(['html', 'rich', 'reblog']).meta({
      id: 'PostFormat',
      description: '`rich` is what Markdown, or a text written in the screen, has become',
    }),
    tags: z.array(z.string()).meta({ description: 'Sorted by name', examples: [['beans', 'garden']] }),
    published: z.boolean().meta({ description: 'False for a draft made in the screen', examples: [true] }),
    published_at: timestamp.nullable().meta({ description: 'Null for a draft' }),
    created_at: timestamp,
    updated_at: timestamp,
    like_count: z.int().meta({ examples: [3] }),
    comment_count: z.int().meta({ examples: [1] }),
  })
  .meta({ id: 'Post' })

export const PostDetail = Post.extend({
  html: z.string().meta({
    description: 'The document at `url`: as sent for `html`, built by the server for the other formats',
    examples: ['<!doctype html>\n<title>Beans</title>\n<h1>Beans</h1>'],
  }),
  reblog: z
    .object({
      url: address.meta({ examples: ['https://beans.example/'] }),
      text: z.string().nullable().meta({ description: 'Null when none was given' }),
    })
    .nullable()
    .meta({ description: 'What is shared; null unless `format` is `reblog`' }),
}).meta({ id: 'PostDetail' })
