import { parseFragment } from 'parse5'
import { escapeHtml } from '../../api/html.ts'
import { isVisible } from '../../api/shown-text.ts'
import type { PostSource } from './document.ts'
import { excerptOf } from './excerpt.ts'
import { markdownToHtml } from './markdown/to-html.ts'

/** Maximum length of a title in a list, in graphemes. */
const LENGTH = 100

/** A document's title element. The length of its attributes is limited, because the input is untrusted. */
const TITLE = /<title[^>]{0,200}>([\s\S]*?)(?:<\/title|$)/i

/** Parts of a document that are not readable text. */
const NOT_TEXT = /<(head|script|style|template|svg)\b[\s\S]*?(?:<\/\1\s*>|$)|<!--[\s\S]*?(?:-->|$)/gi

/** Decodes the HTML entities in text without tags. */
const decodeEntities = (text: string): string => {
  const [node] = parseFragment(text.replaceAll('<', '&lt;')).childNodes
  return node && 'value' in node ? node.value : ''
}

/** Returns the readable text of a document. */
export const wordsOf = (html: string): string =>
  decodeEntities(html.replace(NOT_TEXT, ' ').replace(/<[^>]*>?/g, ' ')).trim()

const titleOfDocument = (html: string): string => {
  const title = decodeEntities(TITLE.exec(html)?.[1] ?? '').trim()
  // If the title shows nothing, use the words of the document without the title. `TITLE` matches up to `</title`, so the
  // replacement leaves the tag `<title>`, which `wordsOf` removes.
  const text = isVisible(title) ? title : wordsOf(html.replace(TITLE, '<title'))
  return excerptOf(escapeHtml(text), LENGTH)
}

/**
 * Returns the title that a post has in its author's list: its own title, or otherwise its first words.
 *
 * @param post its `html` may be truncated
 * @returns plain text; an empty string if there is nothing visible to show
 */
export const titleOf = (post: Omit<PostSource, 'author_handle'>): string => {
  const title = ownTitle(post)
  if (isVisible(title)) return title
  return post.format === 'reblog' ? new URL(post.url!).host : ''
}

/**
 * Returns the title of a post that is being written.
 *
 * @param format as in the editor
 * @param start the start of its Markdown or HTML, or the address that it shares. It is short, so it is converted here.
 */
export const titleOfText = (format: string | null, start: string): string => {
  if (format === 'reblog') return start
  if (format === 'html') return titleOfDocument(start)
  return excerptOf(markdownToHtml(start), LENGTH)
}

const ownTitle = ({ format, html, text }: Omit<PostSource, 'author_handle'>): string => {
  if (format === 'html') return titleOfDocument(html!)
  return excerptOf(format === 'rich' ? html! : escapeHtml(text ?? ''), LENGTH)
}
