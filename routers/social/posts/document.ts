import { escapeHtml } from '../../core/html.ts'
import { excerptOf } from './excerpt.ts'
import { STYLE } from './style.ts'

/** The source of a post's document; its format decides which of the other fields are null. */
export interface PostSource {
  format: 'html' | 'rich' | 'reblog'
  html: string | null
  url: string | null
  text: string | null
  author_handle: string
}

/** Maximum length of a title taken from a text, in characters. */
const TITLE_LENGTH = 80

/**
 * Returns the document that is served for a post: the unchanged document of an `html` post, or a small page without
 * scripts for the other formats.
 */
export const documentOf = (post: PostSource): string => {
  if (post.format === 'html') return post.html!
  return post.format === 'rich' ? richDocument(post) : reblogDocument(post)
}

const richDocument = ({ html, author_handle }: PostSource) =>
  documentWith(
    excerptOf(html!, TITLE_LENGTH) || `A post by @${author_handle}`,
    `<article class="post">\n${html!}</article>`,
  )

const reblogDocument = ({ url, text }: PostSource) =>
  documentWith(excerptOf(escapeHtml(text ?? ''), TITLE_LENGTH) || hostOf(url!), reblogCard(url!, text))

/** The comment on a shared link, and a card with the link. */
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
