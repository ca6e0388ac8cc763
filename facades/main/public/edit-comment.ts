import type { Response, Router } from 'express'
import type { Core } from '../../../routers/api/context.ts'
import { html } from '../../../routers/api/html.ts'
import { problemOf } from '../../../routers/api/problem.ts'
import { cursorOfComment, readPost } from '../../../routers/delivery/posts.ts'
import { FORM, formOf } from '../../http/form.ts'
import { commentForm, editCommentPath, newComment, signedOut, type UnsavedComment } from './comment-form.ts'
import { NO_INDEX, publicPage } from './layout.ts'
import { type ReaderForms, refusalOf, type SendPage } from './reader-forms.ts'

/** The page on which the author of a comment edits it. */
export const editComment = (
  { core, base, pathOf, readerOf, procedures, readerRouter }: ReaderForms,
  send: SendPage,
): Router => {
  const { router, get } = readerRouter()

  const sendForm = (
    res: Response,
    id: string,
    comment: string,
    text: string,
    unsaved: UnsavedComment | null,
  ) => {
    const cancel = `${pathOf(id)}#comments`
    const form = {
      ...newComment(pathOf(id)),
      action: editCommentPath(base, id, comment),
      button: 'Save comment',
      cancel,
    }
    const page = publicPage({
      base,
      title: 'Edit your comment · Space Site',
      isPersonal: true,
      head: NO_INDEX,
      main: html`<h1>Edit your comment</h1>
<p>Readers see that it was edited, but not what it said before.</p>
${commentForm(form, unsaved, text)}`,
    })
    send(res, page, true)
  }

  get(
    '/posts/:id/comments/:comment/edit',
    async ({ params: { id, comment }, res, next, procedures: count }) => {
      const { discussions } = await count()
      try {
        const { post_id, body } = await discussions.getComment({ comment_id: comment })
        if (post_id === id) sendForm(res, id, comment, body, null)
        else next()
      } catch (error) {
        if (problemOf(error).problem !== 'comment_not_found') throw error
        next()
      }
    },
  )

  router.post('/posts/:id/comments/:comment/edit', FORM, async (req, res) => {
    const { id, comment } = req.params
    const form = formOf(req)
    const text = form.get('body') ?? ''
    const reader = await readerOf(req, res)
    // Do not lead to the sign-in, where the text would be lost.
    if (!reader)
      return sendForm(res.status(401), id, comment, text, {
        text,
        reason: signedOut(base, 'change'),
        preview: null,
      })
    try {
      const { discussions } = await procedures(req, reader)
      if (form.has('preview')) {
        const { html: preview } = await discussions.previewComment({ body: text })
        return sendForm(res, id, comment, text, { text, reason: null, preview })
      }
      const { post_id, created_at } = await discussions.editComment({ comment_id: comment, body: text })
      res.redirect(303, await addressOfComment(core, pathOf(post_id), { post_id, id: comment, created_at }))
    } catch (error) {
      const { status, sentence } = refusalOf(error, 'Your comment')
      sendForm(res.status(status), id, comment, text, { text, reason: html`${sentence}`, preview: null })
    }
  })

  return router
}

/** Returns the address at which the page of a post shows a comment. */
export const addressOfComment = async (
  core: Core,
  path: string,
  comment: { post_id: string; id: string; created_at: string },
): Promise<string> => {
  const firstPage = await readPost(core, comment.post_id, null)
  const isShown = firstPage?.comments.some(({ id }) => id === comment.id)
  const query = isShown ? '' : `?from=${cursorOfComment(new Date(comment.created_at))}`
  return `${path}${query}#comment-${comment.id}`
}
