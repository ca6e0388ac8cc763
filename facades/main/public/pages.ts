import type { Addresses } from '../../../routers/core/addresses.ts'
import { html, type Markup } from '../../../routers/core/html.ts'
import { userRules } from '../../../routers/core/rules.ts'
import type { PostPage, readPost, readProfile } from '../../../routers/delivery/posts.ts'
import { layout } from './layout.ts'
import { avatar, byline, moment, postArticle } from './post.ts'

type Profile = NonNullable<Awaited<ReturnType<typeof readProfile>>>
type PostWithComments = NonNullable<Awaited<ReturnType<typeof readPost>>>

const list = ({ posts, next }: PostPage, addresses: Addresses, path: string, empty: Markup): Markup =>
  html`${posts.length === 0 ? empty : posts.map(post => postArticle(post, addresses))}
${next ? html`<p class="more"><a href="${path}?before=${next}" rel="next">Older posts</a></p>` : null}`

/** The public timeline. @param isFirst whether it begins with the newest post */
export const timelinePage = (page: PostPage, addresses: Addresses, isFirst: boolean): string =>
  layout({
    title: isFirst ? 'Space Site' : 'Older posts · Space Site',
    head: html`<meta name="description" content="Websites made of Liquid pages, data and files, and what their people write.">`,
    main: html`<h1>${isFirst ? 'Timeline' : 'Older posts'}</h1>
${list(page, addresses, '/', html`<p class="empty">Nobody has posted anything yet. Posts are published over the User API: <a href="/docs">the reference</a> tells how.</p>`)}`,
  })

/** A person's profile with their posts. */
export const profilePage = (profile: Profile, addresses: Addresses): string => {
  const { author, bio } = profile
  return layout({
    title: `${author.name} (@${author.handle}) · Space Site`,
    head: html`<link rel="canonical" href="${addresses.profile(author.handle)}">`,
    main: html`<header class="person">
${avatar(author)}
<div><h1 dir="auto">${author.name}</h1><p>@${author.handle}</p></div>
</header>
${bio === null ? null : html`<p class="bio" dir="auto">${bio}</p>`}
<h2>Posts</h2>
${list(profile, addresses, `/@${author.handle}`, html`<p class="empty">No posts yet.</p>`)}`,
  })
}

/** A post with its comments. */
export const postPage = ({ post, comments }: PostWithComments, addresses: Addresses): string => {
  const hidden = post.commentCount - comments.length
  return layout({
    title: `A post by ${post.author.name} · Space Site`,
    head: html`<link rel="canonical" href="${addresses.postPage(post.id)}">`,
    main: html`<h1 class="quiet">A post by <span dir="auto">${post.author.name}</span></h1>
${postArticle(post, addresses)}
<section id="comments" aria-labelledby="comments-title">
<h2 id="comments-title">Comments</h2>
${comments.length === 0 ? html`<p class="empty">No comments yet.</p>` : null}
${comments.map(
  ({ author, body, createdAt }) => html`<article class="comment">
${byline(author, moment(createdAt))}
<p dir="auto">${body}</p>
</article>`,
)}
${hidden > 0 ? html`<p class="empty">These are the first ${userRules.comment.list_max_count} comments; there are ${hidden} more.</p>` : null}
</section>`,
  })
}

/** What is shown where there is nothing. */
export const nothingPage = (): string =>
  layout({
    title: 'Not found · Space Site',
    main: html`<h1>There is nothing here</h1>
<p>The address may be mistyped, or what was here has been deleted. <a href="/">Go to the timeline</a>.</p>`,
  })
