import { escapeHtml, html, Markup } from '../../core/html.ts'
import { htmlDocument } from '../../core/html-document.ts'
import { excerptOf } from './excerpt.ts'
import { STYLE } from './style.ts'

/** The fields of a post from which its document is built. `format` decides which of the other fields are null. */
export interface PostSource {
  format: 'html' | 'rich' | 'reblog'
  html: string | null
  url: string | null
  text: string | null
  author_handle: string
}

/** Maximum length of a title taken from a post's text, in graphemes. */
const TITLE_LENGTH = 80

/**
 * Returns the document that is served for a post: the unchanged document of an `html` post, or a small page without
 * scripts for the other formats.
 */
export const documentOf = (post: PostSource): string => {
  if (post.format === 'html') return post.html!
  return post.format === 'rich' ? richDocument(post) : reblogDocument(post)
}

const richDocument = ({ html: content, author_handle }: PostSource) =>
  documentWith(
    excerptOf(content!, TITLE_LENGTH) || `A post by @${author_handle}`,
    html`<article class="post">\n${new Markup(content!)}</article>`,
  )

const reblogDocument = ({ url, text }: PostSource) =>
  documentWith(excerptOf(escapeHtml(text ?? ''), TITLE_LENGTH) || hostOf(url!), reblogCard(url!, text))

/** The comment on a shared link, and a card with the link. */
const reblogCard = (url: string, text: string | null) =>
  html`<article class="post">
${text === null ? null : html`<p class="said">${text}</p>\n`}<a class="card" href="${url}" rel="noopener nofollow ugc">
<strong>${hostOf(url)}</strong>
<span>${url}</span>
</a>
</article>`

const hostOf = (url: string) => new URL(url).host

const documentWith = (title: string, body: Markup) =>
  htmlDocument({ title, style: html`<style>${STYLE}</style>`, body })
