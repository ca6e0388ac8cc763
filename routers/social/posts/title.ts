import { parseFragment } from 'parse5'
import { escapeHtml } from '../../core/html.ts'
import { beginningOf } from './beginning.ts'
import type { PostSource } from './document.ts'

/** Characters of a title in a list. */
const LENGTH = 100

/** What a document calls itself. Bounded, because anybody may have written it. */
const TITLE = /<title[^>]{0,200}>([\s\S]*?)(?:<\/title|$)/i

/** What of a document is no text to be read. */
const UNREAD = /<(head|script|style|template|svg)\b[\s\S]*?(?:<\/\1\s*>|$)|<!--[\s\S]*?(?:-->|$)/gi

/** The characters that text stands for in HTML, where nothing in it is a tag. */
const decoded = (text: string): string => {
  const [node] = parseFragment(text.replaceAll('<', '&lt;')).childNodes
  return node && 'value' in node ? node.value : ''
}

const titleOfDocument = (html: string): string => {
  const title = decoded(TITLE.exec(html)?.[1] ?? '').trim()
  const text = title || decoded(html.replace(UNREAD, ' ').replace(/<[^>]*>?/g, ' ')).trim()
  return beginningOf(escapeHtml(text), LENGTH)
}

/**
 * What a post is called in a list of its author's: its title, or its first words.
 *
 * @param post whose `html` may be just the beginning of it
 * @returns text, not HTML; empty when there is none
 */
export const titleOf = ({ format, html, url, text }: Omit<PostSource, 'author_handle'>): string => {
  if (format === 'html') return titleOfDocument(html!)
  if (format === 'rich') return beginningOf(html!, LENGTH)
  return beginningOf(escapeHtml(text ?? ''), LENGTH) || new URL(url!).host
}
