import type { Addresses } from '../../../routers/core/addresses.ts'
import { html, type Markup } from '../../../routers/core/html.ts'
import { userRules } from '../../../routers/core/rules.ts'
import type { PostPage, readPost, readProfile } from '../../../routers/delivery/posts.ts'
import { basePath } from '../../http/base-path.ts'
import { publicPage } from './layout.ts'
import { avatar, byline, postArticle, time } from './post.ts'

type Profile = NonNullable<Awaited<ReturnType<typeof readProfile>>>
type PostWithComments = NonNullable<Awaited<ReturnType<typeof readPost>>>

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

/** Posts that are older than those on the front page. */
export const olderPostsPage = (page: PostPage, addresses: Addresses): string => {
  const base = basePath(addresses.apiRoot)
  return publicPage({
    base,
    title: 'Older posts · Space Site',
    main: html`<h1>Older posts</h1>
${postList(page, addresses, `${base}/`, html`<p class="empty">There are no older posts.</p>`)}`,
  })
}

/** A person's profile with their posts. */
export const profilePage = (profile: Profile, addresses: Addresses): string => {
  const { author, bio } = profile
  const base = basePath(addresses.apiRoot)
  return publicPage({
    base,
    title: `${author.name} (@${author.handle}) · Space Site`,
    head: html`<link rel="canonical" href="${addresses.profile(author.handle)}">`,
    main: html`<header class="person">
${avatar(author, base)}
<div><h1 dir="auto">${author.name}</h1><p>@${author.handle}</p></div>
</header>
${bio === null ? null : html`<p class="bio" dir="auto">${bio}</p>`}
<h2>Posts</h2>
${postList(profile, addresses, `${base}/@${author.handle}`, html`<p class="empty">No posts yet.</p>`)}`,
  })
}

/** A post with its comments. */
export const postPage = ({ post, comments }: PostWithComments, addresses: Addresses): string => {
  const base = basePath(addresses.apiRoot)
  const hidden = post.commentCount - comments.length
  return publicPage({
    base,
    title: `A post by ${post.author.name} · Space Site`,
    head: html`<link rel="canonical" href="${addresses.postPage(post.id)}">`,
    main: html`<h1 class="quiet">A post by <span dir="auto">${post.author.name}</span></h1>
${postArticle(post, addresses)}
<section id="comments" aria-labelledby="comments-title">
<h2 id="comments-title">Comments</h2>
${comments.length === 0 ? html`<p class="empty">No comments yet.</p>` : null}
${comments.map(
  ({ author, body, createdAt }) => html`<article class="comment">
${byline(author, base, time(createdAt))}
<p dir="auto">${body}</p>
</article>`,
)}
${hidden > 0 ? html`<p class="empty">Showing the first ${userRules.comment.list_max_count} comments of ${post.commentCount}.</p>` : null}
</section>`,
  })
}

/** The 404 page of the main site. */
export const notFoundPage = ({ apiRoot }: Addresses): string => {
  const base = basePath(apiRoot)
  return publicPage({
    base,
    title: 'Page not found · Space Site',
    main: html`<h1>Page not found</h1>
<p>The address may be mistyped, or the page may have been deleted. <a href="${base}/">Go to the front page</a>.</p>`,
  })
}
