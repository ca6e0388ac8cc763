import type { Addresses } from '../../../routers/api/addresses.ts'
import { html, type Markup } from '../../../routers/api/html.ts'
import type { Author, Profile } from '../../../routers/delivery/posts.ts'
import { basePath } from '../../http/base-path.ts'
import { followForm } from './following.ts'
import { NO_INDEX, publicPage } from './layout.ts'
import { muteLink, mutePath } from './muting.ts'
import { avatar, noPosts, postList } from './post.ts'

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
    head: NO_INDEX,
    main: html`<h1>@${author.handle}</h1>
<p class="empty">This account is suspended. Its posts and comments are hidden.</p>
${reader?.isSelf ? html`<p>This is your account. <a href="${base}/admin">Your dashboard</a> says why it is suspended.</p>` : null}
${reader?.isOperator ? suspensionLink(base, author.handle, 'Change or lift the suspension') : null}`,
  })
