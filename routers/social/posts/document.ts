import { escapeHtml, html, htmlDocument, Markup } from '../../api/html.ts'
import { paletteCss } from '../../api/palette.ts'
import { excerptOf } from './excerpt.ts'

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

/** The style sheet of the documents that the service builds for posts. */
export const STYLE = new Markup(`${paletteCss}* { box-sizing: border-box }
body { margin: 0; background: var(--background); color: var(--text); font: 1.0625rem/1.6 var(--font) }
.post { max-width: 42rem; margin: 0 auto; padding: 1.5rem 1rem; overflow-wrap: anywhere }
h1, h2, h3, h4, h5, h6 { line-height: 1.25; margin: 1.5em 0 .5em }
.post > :first-child { margin-top: 0 }
a { color: var(--link) }
img { max-width: 100%; height: auto }
pre, code { font-family: var(--mono); font-size: .9375em }
pre { overflow-x: auto; padding: .75rem; border: 1px solid var(--line); border-radius: .5rem }
blockquote { margin: 1em 0; padding-left: 1rem; border-left: .25rem solid var(--line); color: var(--muted) }
table { display: block; overflow-x: auto; border-collapse: collapse }
th, td { padding: .375rem .75rem; border: 1px solid var(--line); text-align: left }
.align-center { text-align: center }
.align-right { text-align: right }
hr { border: 0; border-top: 1px solid var(--line); margin: 2em 0 }
.said { white-space: pre-wrap }
.card { display: block; padding: 1rem; border: 1px solid var(--line); border-radius: .5rem; text-decoration: none }
.card strong { display: block; color: var(--text) }
.card span { color: var(--muted) }
`)
