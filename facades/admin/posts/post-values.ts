import type { Inputs, Outputs } from '../api.ts'

export type Written = Outputs['writing']['get']
export type Format = NonNullable<Inputs['writing']['preview']['format']>
type Body = Inputs['writing']['preview']

/** The fields that show their own errors. */
export const FIELDS = ['markdown', 'html', 'url', 'text', 'tags'] as const

/** What is in the fields; each format has its own, and keeps it while another one is chosen. */
export interface Values {
  format: Format
  markdown: string
  html: string
  url: string
  text: string
  tags: string[]
}

/** A post as the service has it, as far as the editor knows. */
export interface Saved {
  /** Null before it is saved for the first time. */
  id: string | null
  publishedAt: string | null
  /** Sent along with a change, so that nothing newer is written over. */
  updatedAt: string
  values: Values
  /** What readers see, where the Markdown that it came of was not kept. */
  document: string | null
}

export const emptyValues = (format: Format): Values => ({
  format,
  markdown: '',
  html: '',
  url: '',
  text: '',
  tags: [],
})

export const newPost = (format: Format): Saved => ({
  id: null,
  publishedAt: null,
  updatedAt: '',
  values: emptyValues(format),
  document: null,
})

/** A post as it is now, as the editor starts from it. */
export const savedFrom = (post: Written): Saved => ({
  id: post.id,
  publishedAt: post.published_at,
  updatedAt: post.updated_at,
  values: {
    format: post.format === 'rich' ? 'markdown' : post.format,
    markdown: post.markdown ?? '',
    html: post.html ?? '',
    url: post.url ?? '',
    text: post.text ?? '',
    tags: post.tags,
  },
  document: post.document,
})

/** The fields of the chosen format, as procedures take them. */
export const bodyOf = ({ format, markdown, html, url, text }: Values): Body => {
  if (format === 'markdown') return { format, markdown }
  if (format === 'html') return { format, html }
  return { format, url, ...(text.trim() === '' ? {} : { text }) }
}

/** Whether nothing has been written yet in the chosen format. */
export const isBlank = ({ format, markdown, html, url, text }: Values): boolean =>
  (format === 'reblog' ? url + text : format === 'html' ? html : markdown).trim() === ''

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** Whether the fields differ from what the service has. */
export const isUnsaved = (values: Values, saved: Saved): boolean => {
  if (!same(values.tags, saved.values.tags)) return true
  if (saved.id === null) return !isBlank(values)
  return !same(bodyOf(values), bodyOf(saved.values))
}
