import type { Request, Router } from 'express'
import { html, type Markup } from '../../../routers/api/html.ts'
import { Problem } from '../../../routers/api/problem.ts'
import { limits } from '../../../routers/api/rules.ts'
import { type Author, readComment, readPost } from '../../../routers/delivery/posts.ts'
import { NO_INDEX, publicPage, type RefusedText, reasonField } from './layout.ts'
import { type ReaderForms, refusalOf, type SendPage } from './reader-forms.ts'

/** The form with which signed-in readers report a post, or one of its comments, to the operators. */
export const reporting = ({ core, base, pathOf, readerRouter }: ReaderForms, send: SendPage): Router => {
  /**
   * Returns what a request reports: the comment that its query names, otherwise the post. Null if there is no such
   * comment or post.
   */
  const reportedBy = async (id: string, { query: { comment } }: Request) => {
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

  const { router, get, post } = readerRouter()

  get('/posts/:id/report', async ({ req, params: { id }, res, next }) => {
    const reported = await reportedBy(id, req)
    if (!reported) return next()
    const page =
      req.query.sent === undefined
        ? reportPage(base, pathOf(id), reported.path, shown(reported))
        : reportSentPage(base, pathOf(id), shown(reported))
    send(res, page, true)
  })

  post('/posts/:id/report', async ({ req, params: { id }, res, form, procedures }) => {
    const reported = await reportedBy(id, req)
    if (!reported) throw new Problem('post_not_found')
    const { comment, path } = reported
    const reason = form.get('reason') ?? ''
    try {
      const { reports } = await procedures()
      await (comment
        ? reports.createForComment({ comment_id: comment.id, reason })
        : reports.create({ post_id: id, reason }))
      res.redirect(303, `${path}${comment ? '&' : '?'}sent`)
    } catch (error) {
      const { status, sentence } = refusalOf(error, 'Your report')
      const refused = { text: reason, reason: html`${sentence}` }
      send(res.status(status), reportPage(base, pathOf(id), path, shown(reported), refused), true)
    }
  })

  return router
}

/** What a reader reports. */
interface Reported {
  author: Author
  /** The text of a comment; null for a post. */
  comment: string | null
}

const nameOf = ({ author, comment }: Reported): Markup =>
  html`${comment === null ? 'post' : 'comment'} by <span dir="auto">${author.name}</span>`

/**
 * The form that reports a post or a comment to the operators.
 *
 * @param post path of the post's page
 * @param refused the text that the reader sent, and why it was not accepted
 */
const reportPage = (
  base: string,
  post: string,
  action: string,
  reported: Reported,
  refused: RefusedText | null = null,
): string =>
  publicPage({
    base,
    title: 'Report · Space Site',
    isPersonal: true,
    head: NO_INDEX,
    main: html`<h1>Report the ${nameOf(reported)}</h1>
${reported.comment === null ? null : html`<blockquote class="reported" dir="auto">${reported.comment}</blockquote>`}
<p>The operators of this service read your report. ${reported.author.name} is not told who sent it. You are notified of their decision in the dashboard.</p>
<form class="write" method="post" action="${action}">
${reasonField('What is wrong with it?', html`Up to ${limits.reportReason} characters.`, refused)}
<p class="actions"><button class="primary">Send report</button> <a href="${post}">Cancel</a></p>
</form>`,
  })

/** Confirms that a report was sent. */
const reportSentPage = (base: string, post: string, reported: Reported): string =>
  publicPage({
    base,
    title: 'Report sent · Space Site',
    isPersonal: true,
    head: NO_INDEX,
    main: html`<h1>Report sent</h1>
<p>Thank you. The operators will look at the ${nameOf(reported)}.</p>
<p><a href="${post}">Back to the post</a></p>`,
  })
