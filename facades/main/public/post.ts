import type { Addresses } from '../../../routers/core/addresses.ts'
import { html, Markup } from '../../../routers/core/html.ts'
import type { Author, PublicPost } from '../../../routers/delivery/posts.ts'
import { SCRIPTED_SANDBOX } from '../../shared/sandbox.ts'

const MOMENT = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
  timeZoneName: 'short',
})

/** A point in time for people and programs. */
export const moment = (at: Date): Markup =>
  html`<time datetime="${at.toISOString()}">${MOMENT.format(at)}</time>`

/** A person's picture, or the first character of the name in its place. It says nothing that the name does not. */
export const avatar = ({ name, iconId }: Author): Markup =>
  iconId
    ? html`<img class="avatar" src="/_icons/${iconId}.png" alt="" width="40" height="40" loading="lazy">`
    : html`<span class="avatar" aria-hidden="true">${firstCharacter(name)}</span>`

const graphemes = new Intl.Segmenter()
const firstCharacter = (name: string): string => {
  const [first] = graphemes.segment(name)
  return (first?.segment ?? '').toUpperCase()
}

/** Who wrote something, and when. */
export const byline = (author: Author, ...details: Markup[]): Markup => html`<header class="byline">
${avatar(author)}
<div>
<a class="author" href="/@${author.handle}" rel="author"><b dir="auto">${author.name}</b> @${author.handle}</a>
<p>${details}</p>
</div>
</header>`

const count = (number: number, one: string, many: string) => `${number} ${number === 1 ? one : many}`

/**
 * A post in a list or on its own page. A document of somebody's own making stands in a frame of its own origin, and is
 * fetched when it comes into view.
 */
export const postArticle = (post: PublicPost, addresses: Addresses): Markup => html`<article class="post">
${byline(
  post.author,
  html`<a href="/posts/${post.id}">${moment(post.publishedAt)}</a>`,
  ...(post.isEdited ? [html` · edited`] : []),
)}
${content(post, addresses)}
<footer>
${post.tags.length > 0 ? html`<ul class="tags" aria-label="Tags">${post.tags.map(tag => html`<li dir="auto">#${tag}</li>`)}</ul>` : null}
<p>${count(post.likeCount, 'like', 'likes')} · <a href="/posts/${post.id}#comments">${count(post.commentCount, 'comment', 'comments')}</a> · <a href="${addresses.post(post.id)}/">Open on its own</a></p>
</footer>
</article>`

const content = ({ id, author, content }: PublicPost, addresses: Addresses): Markup => {
  if (content.format === 'html')
    return html`<iframe src="${addresses.post(id)}/" title="Post by ${author.name}" sandbox="${SCRIPTED_SANDBOX}" loading="lazy"></iframe>`
  if (content.format === 'reblog')
    return html`${content.text === null ? null : html`<p class="said" dir="auto">${content.text}</p>`}
<a class="card" href="${content.url}" rel="noopener nofollow ugc"><b>${new URL(content.url).host}</b> <span>${content.url}</span></a>`
  if (content.isCut) return html`<p><a href="/posts/${id}">A long text: read it on its own page</a></p>`
  // Made by our own converter from Markdown, with HTML in it shown as text.
  return html`<div class="rich" dir="auto">${new Markup(content.html)}</div>`
}
