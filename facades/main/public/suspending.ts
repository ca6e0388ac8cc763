import { Router } from 'express'
import { errors } from '../../../routers/api/errors.ts'
import { html } from '../../../routers/api/html.ts'
import { problemOf } from '../../../routers/api/problem.ts'
import { readProfile } from '../../../routers/delivery/posts.ts'
import { FORM, formOf } from '../../http/form.ts'
import { type ReaderForms, type SendPage, sentenceFor } from './reader-forms.ts'
import { suspensionPage } from './suspension-page.ts'

/**
 * The page on which operators suspend an account or lift its suspension. For everyone else, the page does not exist.
 */
export const suspending = (forms: ReaderForms, send: SendPage): Router => {
  const { core, base, readerOf, procedures, askToSignInFor } = forms
  const router = Router({ caseSensitive: true, strict: true })

  router.get('/@:handle/suspension', async (req, res, next) => {
    const profile = await readProfile(core, req.params.handle, await readerOf(req, res), null)
    if (!profile?.reader?.isOperator || profile.reader.isSelf) return next()
    const { handle } = profile.author
    send(res, suspensionPage(base, { handle, isSuspended: profile.isSuspended }), true)
  })

  router.post('/@:handle/suspension', FORM, async (req, res) => {
    const { handle } = req.params
    const reader = await readerOf(req, res)
    if (!reader) return askToSignInFor(res, `@${handle}`)
    const form = formOf(req)
    const reason = form.get('reason') ?? ''
    const { suspensions } = await procedures(req, reader)
    try {
      await (form.get('lift') === 'yes' ? suspensions.lift({ handle }) : suspensions.add({ handle, reason }))
      res.redirect(303, `${base}/@${encodeURIComponent(handle)}`)
    } catch (error) {
      const problem = problemOf(error)
      const isAboutReason = problem.circumstances.errors?.every(({ field }) => field === 'reason') ?? false
      const profile = isAboutReason ? await readProfile(core, handle, reader, null) : null
      if (!profile) throw error
      const sentence = sentenceFor(problem, 'The reason')
      const page = { handle: profile.author.handle, isSuspended: profile.isSuspended }
      const refused = { text: reason, reason: html`${sentence}` }
      send(res.status(errors[problem.problem].status), suspensionPage(base, page, refused), true)
    }
  })

  return router
}
