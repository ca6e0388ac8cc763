import type { Router } from 'express'
import { html } from '../../../routers/api/html.ts'
import { problemOf } from '../../../routers/api/problem.ts'
import { limits } from '../../../routers/api/rules.ts'
import { readProfile } from '../../../routers/delivery/posts.ts'
import { NO_INDEX, publicPage, type RefusedText, reasonField } from './layout.ts'
import { type ReaderForms, type SendPage, sentenceFor, statusOf } from './reader-forms.ts'

/**
 * The page on which operators suspend an account or lift its suspension. For everyone else, the page does not exist.
 */
export const suspending = (forms: ReaderForms, send: SendPage): Router => {
  const { core, base, readerOf, readerRouter, backTo } = forms
  const { router, post } = readerRouter()

  router.get('/@:handle/suspension', async (req, res, next) => {
    const profile = await readProfile(core, req.params.handle, await readerOf(req, res), null)
    if (!profile?.reader?.isOperator || profile.reader.isSelf) return next()
    const { handle } = profile.author
    send(res, suspensionPage(base, { handle, isSuspended: profile.isSuspended }), true)
  })

  post('/@:handle/suspension', async ({ params: { handle }, res, reader, form, procedures }) => {
    const reason = form.get('reason') ?? ''
    const { suspensions } = await procedures()
    try {
      await (form.get('lift') === 'yes' ? suspensions.lift({ handle }) : suspensions.add({ handle, reason }))
      res.redirect(303, backTo(handle))
    } catch (error) {
      const problem = problemOf(error)
      const isAboutReason = problem.circumstances.errors?.every(({ field }) => field === 'reason') ?? false
      const profile = isAboutReason ? await readProfile(core, handle, reader, null) : null
      if (!profile) throw error
      const page = { handle: profile.author.handle, isSuspended: profile.isSuspended }
      const refused = { text: reason, reason: html`${sentenceFor(problem, 'The reason')}` }
      send(res.status(statusOf(problem)), suspensionPage(base, page, refused), true)
    }
  })

  return router
}

/**
 * The page on which an operator suspends an account, or lifts its suspension.
 *
 * @param refused the text that the operator sent, and why it was not accepted
 */
const suspensionPage = (
  base: string,
  { handle, isSuspended }: { handle: string; isSuspended: boolean },
  refused: RefusedText | null = null,
): string => {
  const profile = `${base}/@${handle}`
  return publicPage({
    base,
    title: 'Suspension · Space Site',
    isPersonal: true,
    head: NO_INDEX,
    main: html`<h1>${isSuspended ? 'Suspension of' : 'Suspend'} @${handle}</h1>
<p>A suspended account can sign in, and read, export and delete its own content. It cannot post, comment, like, follow or report. Its posts and comments are hidden; its spaces stay.</p>
${isSuspended ? html`<form method="post" action="${profile}/suspension"><p class="actions"><button class="primary" name="lift" value="yes">Lift suspension</button></p></form>` : null}
<form class="write" method="post" action="${profile}/suspension">
${reasonField(isSuspended ? 'New reason' : 'Reason', html`@${handle} will see it. Up to ${limits.reportReason} characters.`, refused)}
<p class="actions"><button class="danger">${isSuspended ? 'Change reason' : 'Suspend account'}</button> <a href="${profile}">Cancel</a></p>
</form>`,
  })
}
