import { escapeHtml } from '../../core/html.ts'
import { beginningOf } from './beginning.ts'
import { STYLE } from './style.ts'

/** What a post's document is made of; its format says which of the others are null. */
export interface PostSource {
  format: 'html' | 'rich' | 'reblog'
  html: string | null
  url: string | null
  text: string | null
  author_handle: string
}

/** Characters of a title that is made from a text. */
const TITLE_LENGTH = 80

/**
 * The document that is delivered for a post: an `html` post's own, unchanged; for the other formats a small one
 * without scripts.
 */
export const documentOf = (post: PostSource): string => {
  if (post.format === 'html') return post.html!
  return post.format === 'rich' ? richDocument(post) : reblogDocument(post)
}

const richDocument = ({ html, author_handle }: PostSource) =>
  documentWith(
    beginningOf(html!, TITLE_LENGTH) || `A post by @${author_handle}`,
    `<article class="post">\n${html!}</article>`,
  )

const reblogDocument = ({ url, text }: PostSource) =>
  documentWith(beginningOf(escapeHtml(text ?? ''), TITLE_LENGTH) || hostOf(url!), reblogCard(url!, text))

/** A shared address as a text and a card that leads there. */
const reblogCard = (url: string, text: string | null) =>
  [
    '<article class="post">',
    ...(text === null ? [] : [`<p class="said">${escapeHtml(text)}</p>`]),
    `<a class="card" href="${escapeHtml(url)}" rel="noopener nofollow ugc">`,
    `<strong>${escapeHtml(hostOf(url))}</strong>`,
    `<span>${escapeHtml(url)}</span>`,
    '</a>',
    '</article>',
  ].join('\n')

const hostOf = (url: string) => new URL(url).host

const documentWith = (title: string, body: string) => `<!doctype html>
<html>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
${body}
</body>
</html>
`
