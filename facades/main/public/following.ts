import { Router } from 'express'
import { readFollowedPosts } from '../../../routers/delivery/posts.ts'
import { FORM, formOf } from '../../http/form.ts'
import { cursorOf } from './cursor.ts'
import { followingPage } from './pages.ts'
import type { ReaderForms, SendPage } from './reader-forms.ts'

/** The posts of the people that the reader follows, and the form with which a reader follows a person. */
export const following = (forms: ReaderForms, send: SendPage): Router => {
  const { core, base, pathOf, readerOf, procedures, askToSignInFor } = forms
  const router = Router({ caseSensitive: true, strict: true })

  router.get('/following', async (req, res, next) => {
    const reader = await readerOf(req, res)
    if (!reader) return askToSignInFor(res, 'following')
    const cursor = cursorOf(req)
    const posts = await readFollowedPosts(core, reader, cursor)
    if (!posts) return next()
    send(res, followingPage(posts, core.addresses, cursor !== null), true)
  })

  router.post('/@:handle/follow', FORM, async (req, res) => {
    const { handle } = req.params
    const reader = await readerOf(req, res)
    if (!reader) return askToSignInFor(res, `@${handle}`)
    const form = formOf(req)
    const { follows } = await procedures(req, reader)
    await (form.get('follow') === 'no' ? follows.remove({ handle }) : follows.add({ handle }))
    const post = form.get('post')
    res.redirect(
      303,
      post === null
        ? `${base}/@${encodeURIComponent(handle)}`
        : `${pathOf(encodeURIComponent(post))}#reactions`,
    )
  })

  return router
}
