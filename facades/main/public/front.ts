import type { Addresses } from '../../../routers/api/addresses.ts'
import type { Core } from '../../../routers/api/context.ts'
import { html, type Markup } from '../../../routers/api/html.ts'
import type { PostPage } from '../../../routers/delivery/posts.ts'
import { basePath } from '../../http/base-path.ts'
import { publicPage } from './layout.ts'
import { noPosts, postList } from './post.ts'

/** Size of the pictures of the dashboard, in pixels. */
const WIDTH = 1920
const HEIGHT = 1140

export interface FrontPageContent {
  /** Handle of the signed-in person; null for everyone else. */
  handle: string | null
  /** Subdomain of the demo space; null if there is none. */
  demo: string | null
  /** The newest posts; null if the operator hides them. */
  posts: PostPage | null
}

/** The front page: what this service is, how to begin, and the newest posts. */
export const frontPage = (
  { addresses, frontPage: { title, text }, signUp }: Core,
  { handle, demo, posts }: FrontPageContent,
): string => {
  const base = basePath(addresses.apiRoot)
  return publicPage({
    base,
    section: '/',
    isPersonal: handle !== null,
    title: `${title} · Space Site`,
    head: html`<meta name="description" content="${text}">`,
    look: 'front',
    main: html`<section class="hero">
<div>
<h1>${title}</h1>
<p>${text}</p>
${handle === null ? signedOut(base, signUp) : signedIn(base, handle)}
${demo === null ? null : html`<p class="demo"><a href="${addresses.site(demo)}">Look at the demo site</a></p>`}
</div>
${picture(base)}
</section>
${posts && timeline(posts, addresses, base)}`,
  })
}

const signedOut = (base: string, signUp: Core['signUp']): Markup =>
  signUp === 'open'
    ? html`<p class="actions"><a class="primary" href="${base}/admin/sign-up">Create an account</a> <a href="${base}/admin/sign-in">Sign in</a></p>`
    : html`<p class="actions"><a class="primary" href="${base}/admin/sign-in">Sign in</a></p>
<p class="demo">New accounts are by invitation only.</p>`

const signedIn = (base: string, handle: string): Markup =>
  html`<p class="actions"><a class="primary" href="${base}/admin">Open your dashboard</a> <a href="${base}/admin/new-space">New space</a></p>
<p class="demo">You are signed in as <a href="${base}/@${handle}">${handle}</a>.</p>`

const picture = (base: string): Markup => html`<picture>
<source srcset="${base}/_front/dashboard-dark.webp" media="(prefers-color-scheme: dark)">
<img src="${base}/_front/dashboard-light.webp" width="${WIDTH}" height="${HEIGHT}" alt="The dashboard: a page’s template on the left, and its preview on the right">
</picture>`

const timeline = (
  posts: PostPage,
  addresses: Addresses,
  base: string,
): Markup => html`<section class="posts" aria-labelledby="posts">
<h2 id="posts">New posts</h2>
${postList(posts, addresses, `${base}/`, html`${noPosts}<p class="empty blank">There are no posts yet. <a href="${base}/admin/new-post">Write the first one</a>, or publish it with the <a href="${base}/docs/user">User API</a>.</p>`)}
</section>`

/** Posts that are older than those on the front page. */
export const olderPostsPage = (page: PostPage, addresses: Addresses, isPersonal: boolean): string => {
  const base = basePath(addresses.apiRoot)
  return publicPage({
    base,
    title: 'Older posts · Space Site',
    isPersonal,
    main: html`<h1>Older posts</h1>
${postList(page, addresses, `${base}/`, html`<p class="empty">There are no older posts.</p>`)}`,
  })
}
