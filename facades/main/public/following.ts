import type { Router } from 'express'
import type { Addresses } from '../../../routers/api/addresses.ts'
import { html, type Markup } from '../../../routers/api/html.ts'
import { type Author, type PostPage, readFollowedPosts } from '../../../routers/delivery/posts.ts'
import { basePath } from '../../http/base-path.ts'
import { illustration } from '../../http/page/main-site.ts'
import { publicPage } from './layout.ts'
import { postList } from './post.ts'
import { cursorOf, type ReaderForms, type SendPage } from './reader-forms.ts'

/** The posts of the people that the reader follows, and the form with which a reader follows a person. */
export const following = ({ core, readerRouter, backTo }: ReaderForms, send: SendPage): Router => {
  const { router, get, post } = readerRouter()

  get('/following', async ({ req, res, next, reader }) => {
    const cursor = cursorOf(req)
    const posts = await readFollowedPosts(core, reader, cursor)
    if (!posts) return next()
    send(res, followingPage(posts, core.addresses, cursor !== null), true)
  })

  post('/@:handle/follow', async ({ params: { handle }, res, form, procedures }) => {
    const { follows } = await procedures()
    await (form.get('follow') === 'no' ? follows.remove({ handle }) : follows.add({ handle }))
    res.redirect(303, backTo(handle, form.get('post'), '#reactions'))
  })

  return router
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

const noPeople = illustration('people')

/**
 * A button that follows a person, or stops following them. Its accessible name says what a click does.
 *
 * @param post id of the post whose page has the button; the form redirects to that page. Omit it on the profile
 */
export const followForm = (
  base: string,
  { handle, name }: Author,
  isFollowing: boolean,
  post?: string,
): Markup => html`<form class="follow" method="post" action="${base}/@${handle}/follow">
${post === undefined ? null : html`<input type="hidden" name="post" value="${post}">`}
<button class="toggle${isFollowing ? ' on' : ''}" name="follow" value="${isFollowing ? 'no' : 'yes'}" aria-label="${isFollowing ? 'Following' : 'Follow'} ${name}${isFollowing ? ', unfollow' : ''}"${isFollowing ? html` title="Unfollow"` : null}><span aria-hidden="true">${isFollowing ? '✓' : '+'}</span> ${isFollowing ? 'Following' : 'Follow'}${post === undefined ? null : html` <span dir="auto">${name}</span>`}</button>
</form>`
