import type { Addresses } from '../../../routers/api/addresses.ts'
import { html, type Markup } from '../../../routers/api/html.ts'
import type { Author, PostPage, Profile } from '../../../routers/delivery/posts.ts'
import { basePath } from '../../http/base-path.ts'
import { illustration } from '../../http/page/illustration.ts'
import { followForm } from './follow-form.ts'
import { publicPage } from './layout.ts'
import { muteLink, mutePath } from './mute-page.ts'
import { avatar, postArticle } from './post.ts'

const notFound = illustration('not-found')
const noPeople = illustration('people')

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

/**
 * Posts of the people that a signed-in person follows.
 *
 * @param isOlder false for the first page of the list, which has the newest posts
 */
export const followingPage = (page: PostPage, addresses: Addresses, isOlder: boolean): string => {
  const base = basePath(addresses.apiRoot)
  const people = html`<a href="${base}/admin/people">people you follow</a>`
  return publicPage({
    base,
    ...(isOlder ? {} : { section: '/following' as const }),
    title: `${isOlder ? 'Older posts · ' : ''}Following · Space Site`,
    isPersonal: true,
    main: html`<h1>${isOlder ? 'Older posts of people you follow' : 'Following'}</h1>
${isOlder ? null : html`<p>New posts of the ${people}. Only you can see who they are.</p>`}
${postList(page, addresses, `${base}/following`, html`${isOlder ? null : noPeople}<p class="empty blank">There are no ${isOlder ? 'older ' : ''}posts. To follow someone, open their profile, for example from the <a href="${base}/">newest posts</a>.</p>`)}`,
  })
}

/** A person's profile with their posts. Signed-in readers can follow the person. */
export const profilePage = (profile: Profile, addresses: Addresses): string => {
  const { author, bio, reader } = profile
  const base = basePath(addresses.apiRoot)
  if (profile.isSuspended) return suspendedProfile(base, profile)
  return publicPage({
    base,
    title: `${author.name} (@${author.handle}) · Space Site`,
    isPersonal: reader !== null,
    head: html`<link rel="canonical" href="${addresses.profile(author.handle)}">`,
    main: html`<header class="person">
${avatar(author, base)}
<div><h1 dir="auto">${author.name}</h1><p>@${author.handle}</p></div>
${reader && canFollow(reader) ? followForm(base, author, reader.isFollowing) : null}
</header>
${bio === null ? null : html`<p class="bio" dir="auto">${bio}</p>`}
${reader && !reader.isSelf ? muteStatus(base, author, reader.mute) : null}
${reader?.isOperator && !reader.isSelf ? suspensionLink(base, author.handle, 'Suspend account') : null}
${reader ? null : html`<p class="empty"><a href="${base}/admin/sign-in?page=@${author.handle}">Sign in</a> to follow <span dir="auto">${author.name}</span>.</p>`}
<h2>Posts</h2>
${postList(profile, addresses, `${base}/@${author.handle}`, html`${noPosts}<p class="empty blank">No posts yet.</p>`)}`,
  })
}

/** Whether the reader can follow the person, or stop following them. */
const canFollow = ({ isSelf, isFollowing, isSuspended, isBlocked, mute }: NonNullable<Profile['reader']>) =>
  !isSelf && !isBlocked && mute !== 'blocked' && (isFollowing || !isSuspended)

/**
 * Says whether the reader has muted or blocked the person, and links to the page on which the reader can change that.
 */
const muteStatus = (base: string, author: Author, mute: 'muted' | 'blocked' | null): Markup =>
  mute === null
    ? html`<p>${muteLink(base, author, null)}</p>`
    : html`<p class="empty">You have ${mute} <span dir="auto">${author.name}</span>. <a href="${mutePath(base, author.handle, null)}">${mute === 'blocked' ? 'Unblock' : 'Unmute'}</a></p>`

const suspensionLink = (base: string, handle: string, text: string): Markup =>
  html`<p><a class="minor" href="${base}/@${handle}/suspension">${text}</a></p>`

/** The profile of a suspended account, without anything that the person wrote. */
const suspendedProfile = (base: string, { author, reader }: Profile): string =>
  publicPage({
    base,
    title: `@${author.handle} · Space Site`,
    isPersonal: reader !== null,
    head: html`<meta name="robots" content="noindex">`,
    main: html`<h1>@${author.handle}</h1>
<p class="empty">This account is suspended. Its posts and comments are hidden.</p>
${reader?.isSelf ? html`<p>This is your account. <a href="${base}/admin">Your dashboard</a> says why it is suspended.</p>` : null}
${reader?.isOperator ? suspensionLink(base, author.handle, 'Change or lift the suspension') : null}`,
  })

/** The 404 page of the main site. */
export const notFoundPage = ({ apiRoot }: Addresses): string => {
  const base = basePath(apiRoot)
  return publicPage({
    base,
    title: 'Page not found · Space Site',
    look: 'lost',
    main: html`${notFound}<h1>Page not found</h1>
<p>The address may be mistyped, or the page may have been deleted. <a href="${base}/">Go to the front page</a>.</p>`,
  })
}

/** The page that says why a form had no effect. */
export const refusedPage = (base: string, title: string, text: Markup): string =>
  publicPage({
    base,
    title: `${title} · Space Site`,
    main: html`<h1>${title}</h1>
<p>${text}</p>`,
  })
