import type { Format, Written } from './post-values.ts'

/** What people call the formats of posts. */
export const FORMAT_NAMES: Record<Written['format'], string> = {
  html: 'HTML',
  rich: 'Markdown',
  reblog: 'Shared address',
}

/** The formats to write in, with what becomes of each. */
export const FORMATS: Record<Format, { label: string; words: string }> = {
  markdown: {
    label: 'Markdown',
    words: 'A text with headings, links, lists and tables. HTML in it is shown as text.',
  },
  html: {
    label: 'HTML',
    words: 'A document of your own. It is delivered unchanged, with its scripts, on an origin of its own.',
  },
  reblog: {
    label: 'Shared address',
    words: 'An address with a few words of yours. Readers see both and a card that leads there.',
  },
}
