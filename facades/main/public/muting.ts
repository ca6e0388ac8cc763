import { Router } from 'express'
import { invalid } from '../../../routers/api/problem.ts'
import { readProfile } from '../../../routers/delivery/posts.ts'
import { FORM, formOf } from '../../http/form.ts'
import { mutePage } from './mute-page.ts'
import type { ReaderForms, SendPage } from './reader-forms.ts'

/** The values that the buttons of the form send as `action`. */
const ACTIONS: ReadonlySet<string> = new Set(['mute', 'block', 'remove'])

/** The page on which signed-in readers mute, block, unmute or unblock a person. */
export const muting = (forms: ReaderForms, send: SendPage): Router => {
  const { core, base, pathOf, readerOf, procedures, askToSignInFor } = forms
  const router = Router({ caseSensitive: true, strict: true })

  router.get('/@:handle/mute', async (req, res, next) => {
    const { handle } = req.params
    const reader = await readerOf(req, res)
    if (!reader) return askToSignInFor(res, `@${handle}`)
    const profile = await readProfile(core, handle, reader, null)
    if (!profile || profile.reader?.isSelf) return next()
    const { post } = req.query
    send(res, mutePage(base, profile, typeof post === 'string' ? post : null), true)
  })

  router.post('/@:handle/mute', FORM, async (req, res) => {
    const { handle } = req.params
    const reader = await readerOf(req, res)
    if (!reader) return askToSignInFor(res, `@${handle}`)
    const form = formOf(req)
    const action = form.get('action') ?? ''
    if (!ACTIONS.has(action)) throw invalid('action', 'must be mute, block or remove')
    const { mutes } = await procedures(req, reader)
    await (action === 'remove' ? mutes.remove({ handle }) : mutes.add({ handle, block: action === 'block' }))
    const post = form.get('post')
    res.redirect(
      303,
      post === null ? `${base}/@${encodeURIComponent(handle)}` : pathOf(encodeURIComponent(post)),
    )
  })

  return router
}
