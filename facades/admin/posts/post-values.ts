import type { Inputs, Outputs } from '../api.ts'

export type Written = Outputs['writing']['get']
export type Format = NonNullable<Inputs['writing']['preview']['format']>
type Body = Inputs['writing']['preview']

/** The fields that show their own errors. */
export const FIELDS = ['markdown', 'html', 'url', 'text', 'tags'] as const

/** The form's values. Each format has its own fields, which keep their text while another format is selected. */
export interface Values {
  format: Format
  markdown: string
  html: string
  url: string
  text: string
  tags: string[]
}

/** A post as it was last read or saved. */
export interface Saved {
  /** Null before the first save. */
  id: string | null
  publishedAt: string | null
  /** Sent with every update, so that the service rejects the update if someone saved a newer version. */
  updatedAt: string
  values: Values
  /** The rendered post, if its Markdown source was not kept. */
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

/** Converts a post from the API to the shape that the editor uses. */
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

/** Returns the fields of the selected format, as the procedures expect them. */
export const bodyOf = ({ format, markdown, html, url, text }: Values): Body => {
  if (format === 'markdown') return { format, markdown }
  if (format === 'html') return { format, html }
  return { format, url, ...(text.trim() === '' ? {} : { text }) }
}

/** Whether the selected format's fields are empty. */
export const isBlank = ({ format, markdown, html, url, text }: Values): boolean =>
  (format === 'reblog' ? url + text : format === 'html' ? html : markdown).trim() === ''

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** Whether the values differ from what was last saved. */
export const isUnsaved = (values: Values, saved: Saved): boolean => {
  if (!isSame(values.tags, saved.values.tags)) return true
  if (saved.id === null) return !isBlank(values)
  return !isSame(bodyOf(values), bodyOf(saved.values))
}

/** The display names of the post formats, by their names in the API. */
export const FORMAT_NAMES: Record<Written['format'], string> = {
  html: 'HTML',
  rich: 'Markdown',
  reblog: 'Link',
}

/** The formats that the editor offers. */
export const FORMATS: Record<Format, { label: string; description: string }> = {
  markdown: {
    label: 'Markdown',
    description: 'Text with headings, links, lists and tables. HTML tags are shown as text.',
  },
  html: {
    label: 'HTML',
    description: 'Your own HTML document. Readers get it unchanged, including scripts, on a separate origin.',
  },
  reblog: {
    label: 'Link',
    description: 'A link with a short comment. Readers see your comment above a card for the linked page.',
  },
}
