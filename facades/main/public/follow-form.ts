import { html, type Markup } from '../../../routers/api/html.ts'
import type { Author } from '../../../routers/delivery/posts.ts'

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
