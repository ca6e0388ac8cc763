import type { Format, Written } from './post-values.ts'

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
