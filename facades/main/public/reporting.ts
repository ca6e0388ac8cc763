import { type Request, Router } from 'express'
import { errors } from '../../../routers/api/errors.ts'
import { html } from '../../../routers/api/html.ts'
import { Problem, problemOf } from '../../../routers/api/problem.ts'
import { readComment, readPost } from '../../../routers/delivery/posts.ts'
import { FORM, formOf } from '../../http/form.ts'
import { type ReaderForms, type SendPage, sentenceFor } from './reader-forms.ts'
import { type Reported, reportPage, reportSentPage } from './report-page.ts'

/** The form with which signed-in readers report a post, or one of its comments, to the operators. */
export const reporting = (forms: ReaderForms, send: SendPage): Router => {
  const { core, base, pathOf, readerOf, procedures, askToSignIn } = forms

  /**
   * Returns what a request reports: the comment that its query names, otherwise the post. Null if there is no such
   * comment or post.
   */
  const reportedBy = async ({ params: { id }, query: { comment } }: Request<{ id: string }>) => {
    if (comment === undefined) {
      const found = await readPost(core, id, null)
      return found && { author: found.post.author, comment: null, path: `${pathOf(id)}/report` }
    }
    const found = typeof comment === 'string' ? await readComment(core, id, comment) : null
    return found && { author: found.author, comment: found, path: `${pathOf(id)}/report?comment=${found.id}` }
  }

  const shown = ({ author, comment }: NonNullable<Awaited<ReturnType<typeof reportedBy>>>): Reported => ({
    author,
    comment: comment?.body ?? null,
  })

  const router = Router({ caseSensitive: true, strict: true })

  router.get('/posts/:id/report', async (req, res, next) => {
    const { id } = req.params
    if (!(await readerOf(req, res))) return askToSignIn(res, id)
    const reported = await reportedBy(req)
    if (!reported) return next()
    const page =
      req.query.sent === undefined
        ? reportPage(base, pathOf(id), reported.path, shown(reported))
        : reportSentPage(base, pathOf(id), shown(reported))
    send(res, page, true)
  })

  router.post('/posts/:id/report', FORM, async (req, res) => {
    const { id } = req.params
    const reader = await readerOf(req, res)
    if (!reader) return askToSignIn(res, id)
    const reported = await reportedBy(req)
    if (!reported) throw new Problem('post_not_found')
    const { comment, path } = reported
    const reason = formOf(req).get('reason') ?? ''
    try {
      const { reports } = await procedures(req, reader)
      await (comment
        ? reports.createForComment({ comment_id: comment.id, reason })
        : reports.create({ post_id: id, reason }))
      res.redirect(303, `${path}${comment ? '&' : '?'}sent`)
    } catch (error) {
      const problem = problemOf(error)
      const sentence = sentenceFor(problem, 'Your report')
      if (sentence === null) throw error
      const refused = { text: reason, reason: html`${sentence}` }
      send(
        res.status(errors[problem.problem].status),
        reportPage(base, pathOf(id), path, shown(reported), refused),
        true,
      )
    }
  })

  return router
}
