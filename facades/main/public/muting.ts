import type { Router } from 'express'
import { html, type Markup } from '../../../routers/api/html.ts'
import { invalid } from '../../../routers/api/problem.ts'
import { type Profile, readProfile } from '../../../routers/delivery/posts.ts'
import { NO_INDEX, publicPage } from './layout.ts'
import type { ReaderForms, SendPage } from './reader-forms.ts'

/** The values that the buttons of the form send as `action`. */
const ACTIONS: ReadonlySet<string> = new Set(['mute', 'block', 'remove'])

/** The page on which signed-in readers mute, block, unmute or unblock a person. */
export const muting = ({ core, base, readerRouter, backTo }: ReaderForms, send: SendPage): Router => {
  const { router, get, post } = readerRouter()

  get('/@:handle/mute', async ({ req, params, res, next, reader }) => {
    const profile = await readProfile(core, params.handle, reader, null)
    if (!profile || profile.reader?.isSelf) return next()
    const { post } = req.query
    send(res, mutePage(base, profile, typeof post === 'string' ? post : null), true)
  })

  post('/@:handle/mute', async ({ params: { handle }, res, form, procedures }) => {
    const action = form.get('action') ?? ''
    if (!ACTIONS.has(action)) throw invalid('action', 'must be mute, block or remove')
    const { mutes } = await procedures()
    await (action === 'remove' ? mutes.remove({ handle }) : mutes.add({ handle, block: action === 'block' }))
    res.redirect(303, backTo(handle, form.get('post')))
  })

  return router
}

/** Returns the path of the page on which a reader mutes or blocks a person. @param post see `mutePage` */
export const mutePath = (base: string, handle: string, post: string | null): string =>
  `${base}/@${handle}/mute${post === null ? '' : `?post=${encodeURIComponent(post)}`}`

/** A link to the page on which a reader mutes or blocks a person. Its accessible name includes the person's name. */
export const muteLink = (
  base: string,
  { handle, name }: { handle: string; name: string },
  post: string | null,
): Markup =>
  html`<a class="minor" href="${mutePath(base, handle, post)}">Mute or block<span class="hidden"> ${name}</span></a>`

/**
 * The page on which a signed-in reader mutes, blocks, unmutes or unblocks a person.
 *
 * @param post id of the post to whose page the form redirects; null to redirect to the profile
 */
const mutePage = (base: string, { author: { handle }, reader }: Profile, post: string | null): string => {
  const mute = reader?.mute ?? null
  const back = post === null ? `${base}/@${handle}` : `${base}/posts/${encodeURIComponent(post)}`
  return publicPage({
    base,
    title: `Mute or block @${handle} · Space Site`,
    isPersonal: true,
    head: NO_INDEX,
    main: html`<h1>Mute or block @${handle}</h1>
${mute === null ? null : html`<p>You ${mute === 'blocked' ? 'have blocked' : 'have muted'} @${handle}.</p>`}
<p><b>Muted:</b> you don’t see their posts in your lists, and are not notified of their comments and reblogs.</p>
<p><b>Blocked:</b> they also can’t like, comment on or reblog your posts. You don’t see their comments, and neither of you follows the other anymore. They can still read what everyone can read.</p>
<p class="hint">@${handle} is not notified. Your <a href="${base}/admin/people">dashboard</a> lists the people you muted and blocked.</p>
<form class="choices" method="post" action="${base}/@${handle}/mute">
${post === null ? null : html`<input type="hidden" name="post" value="${post}">`}
${mute === null ? html`<button class="primary" name="action" value="mute">Mute</button>` : html`<button class="primary" name="action" value="remove">${mute === 'blocked' ? 'Unblock' : 'Unmute'}</button>`}
${mute === 'blocked' ? null : html`<button class="danger" name="action" value="block">Block</button>`}
<a href="${back}">Cancel</a>
</form>`,
  })
}
