import type { Addresses } from '../../../routers/api/addresses.ts'
import { html, Markup } from '../../../routers/api/html.ts'
import type { Author, PostPage, PublicPost } from '../../../routers/delivery/posts.ts'
import { basePath } from '../../http/base-path.ts'
import { illustration } from '../../http/page/main-site.ts'
import { EMBEDDED_SANDBOX } from '../../shared/sandbox.ts'

const TIME = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
  timeZoneName: 'short',
})

export const time = (at: Date): Markup => html`<time datetime="${at.toISOString()}">${TIME.format(at)}</time>`

/**
 * A person's picture, or the first character of their name. Hidden from screen readers, because the name is next to it.
 */
export const avatar = ({ name, iconId }: Author, base: string): Markup =>
  iconId
    ? html`<img class="avatar" src="${base}/_icons/${iconId}.png" alt="" width="40" height="40" loading="lazy">`
    : html`<span class="avatar" aria-hidden="true">${firstCharacter(name)}</span>`

const graphemes = new Intl.Segmenter()
const firstCharacter = (name: string): string => {
  const [first] = graphemes.segment(name)
  return (first?.segment ?? '').toUpperCase()
}

/** The author of a post or comment, and details such as its time. */
export const byline = (
  author: Author,
  base: string,
  ...details: Markup[]
): Markup => html`<header class="byline">
${avatar(author, base)}
<div>
<a class="author" href="${base}/@${author.handle}" rel="author"><b dir="auto">${author.name}</b> @${author.handle}</a>
<p>${details}</p>
</div>
</header>`

const count = (number: number, one: string, many: string) => `${number} ${number === 1 ? one : many}`

/**
 * A post in a list or on its own page. An HTML post is shown in a frame. When the reader scrolls to the frame, the
 * frame loads a document from the post's own origin.
 *
 * @param shown replaces the content of the post; null to show the content
 * @param fullPage the address of the full page; by default the post's own origin; null if there is none
 */
export const postArticle = (
  post: PublicPost,
  addresses: Addresses,
  {
    shown = null,
    fullPage = `${addresses.post(post.id)}/`,
  }: { shown?: Markup | null; fullPage?: string | null } = {},
): Markup => {
  const base = basePath(addresses.apiRoot)
  const page = `${base}/posts/${post.id}`
  return html`<article class="post">
${byline(
  post.author,
  base,
  html`<a href="${page}">${time(post.publishedAt)}</a>`,
  ...(post.isEdited ? [html` · edited`] : []),
)}
${shown ?? content(post, addresses, page)}
<footer>
${post.tags.length > 0 ? html`<ul class="tags" aria-label="Tags">${post.tags.map(tag => html`<li dir="auto">#${tag}</li>`)}</ul>` : null}
<p>${count(post.likeCount, 'like', 'likes')} · <a href="${page}#comments">${count(post.commentCount, 'comment', 'comments')}</a>${fullPage === null ? null : html` · <a href="${fullPage}">Open full page</a>`}</p>
</footer>
</article>`
}

const content = ({ id, author, content }: PublicPost, addresses: Addresses, page: string): Markup => {
  if (content.format === 'html')
    return html`<iframe src="${addresses.post(id)}/" title="Post by ${author.name}" sandbox="${EMBEDDED_SANDBOX}" loading="lazy"></iframe>`
  if (content.format === 'reblog')
    return html`${content.text === null ? null : html`<p class="said" dir="auto">${content.text}</p>`}
<a class="card" href="${content.url}" rel="noopener nofollow ugc"><b>${new URL(content.url).host}</b> <span>${content.url}</span></a>`
  if (content.isCut) return html`<p><a href="${page}">Read the whole post</a></p>`
  // Safe to insert: the service generated it from Markdown and escaped any HTML in the source.
  return html`<div class="rich" dir="auto">${new Markup(content.html)}</div>`
}

/** Shown above the sentence that says that there are no posts. */
export const noPosts = illustration('posts')

/**
 * Lays out posts, with a link to older posts if there are any.
 *
 * @param path path of the list; the link adds the cursor of the next page
 */
export const postList = (
  { posts, next }: PostPage,
  addresses: Addresses,
  path: string,
  empty: Markup,
): Markup =>
  html`${posts.length === 0 ? empty : posts.map(post => postArticle(post, addresses))}
${next ? html`<p class="more"><a href="${path}?before=${next}" rel="next">Older posts</a></p>` : null}`
