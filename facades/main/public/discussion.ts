import type { Request, Response, Router } from 'express'
import type { SessionActor } from '../../../routers/api/actor.ts'
import { html, type Markup } from '../../../routers/api/html.ts'
import { Problem, problemOf } from '../../../routers/api/problem.ts'
import { readPost } from '../../../routers/delivery/posts.ts'
import { FORM, formOf } from '../../http/form.ts'
import { signedOut, type UnsavedComment } from './comment-form.ts'
import { addressOfComment } from './edit-comment.ts'
import { fullPostPage, postPage } from './post-page.ts'
import { cursorOf, type ReaderForms, refusalOf, type SendPage } from './reader-forms.ts'

/**
 * The page of a post. Signed-in readers can like the post there, add comments and delete comments. The author of the
 * post can close the post for comments.
 */
export const discussion = (forms: ReaderForms, send: SendPage): Router => {
  const { core, base, pathOf, readerOf, procedures, readerRouter } = forms

  /** Sends the page of a post. @returns false if there is no such post */
  const showPost = async (
    req: Request<{ id: string }>,
    res: Response,
    reader: SessionActor | null,
    unsaved: UnsavedComment | null = null,
  ): Promise<boolean> => {
    const found = await readPost(core, req.params.id, reader, cursorOf(req, 'from'))
    if (found) send(res, postPage(core, found, unsaved), reader !== null || unsaved !== null)
    return found !== null
  }

  const { router, post } = readerRouter()

  router.get('/posts/:id', async (req, res, next) => {
    if (!(await showPost(req, res, await readerOf(req, res)))) next()
  })

  router.get('/posts/:id/full', async (req, res, next) => {
    const reader = await readerOf(req, res)
    const found = await readPost(core, req.params.id, reader, null)
    // The origin of a hidden post serves nothing.
    if (!found || found.isHidden) return next()
    send(res, fullPostPage(core.addresses, found), reader !== null)
  })

  post('/posts/:id/like', async ({ params: { id }, res, form, procedures }) => {
    const { likes } = await procedures()
    await (form.get('like') === 'no' ? likes.remove({ post_id: id }) : likes.add({ post_id: id }))
    res.redirect(303, `${pathOf(id)}#reactions`)
  })

  post('/posts/:id/closing', async ({ params: { id }, res, form, procedures }) => {
    const { discussions } = await procedures()
    await discussions.setClosed({ post_id: id, is_closed: form.get('closed') !== 'no' })
    res.redirect(303, `${pathOf(id)}#comments`)
  })

  router.post('/posts/:id/comments', FORM, async (req, res) => {
    const { id } = req.params
    const form = formOf(req)
    const text = form.get('body') ?? ''
    const reader = await readerOf(req, res)
    const refuse = async (status: number, reason: Markup) => {
      res.status(status)
      if (!(await showPost(req, res, reader, { text, reason, preview: null })))
        throw new Problem('post_not_found')
    }
    if (!reader) return refuse(401, signedOut(base, 'comment'))
    try {
      const { discussions } = await procedures(req, reader)
      if (form.has('preview')) {
        const { html: preview } = await discussions.previewComment({ body: text })
        if (!(await showPost(req, res, reader, { text, reason: null, preview })))
          throw new Problem('post_not_found')
        return
      }
      const { id: commentId, created_at } = await discussions.addComment({ post_id: id, body: text })
      const comment = { post_id: id, id: commentId, created_at }
      res.redirect(303, await addressOfComment(core, pathOf(id), comment))
    } catch (error) {
      const { status, sentence } = refusalOf(error, 'Your comment')
      await refuse(status, html`${sentence}`)
    }
  })

  // For the script of the form. Sends the formatted comment as HTML, or a plain-text sentence that says why the comment
  // is refused.
  router.post('/posts/:id/comments/preview', FORM, async (req, res) => {
    const reader = await readerOf(req, res)
    const refuse = (status: number, reason: string) => void res.status(status).type('text').send(reason)
    if (!reader) return refuse(401, 'You are signed out. Open a new tab to sign in, then continue here.')
    try {
      const { discussions } = await procedures(req, reader)
      const { html: preview } = await discussions.previewComment({ body: formOf(req).get('body') ?? '' })
      send(res, preview, true)
    } catch (error) {
      const { status, sentence, retryAfter } = refusalOf(error, 'Your comment')
      if (retryAfter !== undefined) res.set('Retry-After', String(retryAfter))
      refuse(status, sentence)
    }
  })

  post('/posts/:id/comments/:comment/delete', async ({ params: { id, comment }, res, procedures }) => {
    const { comments } = await procedures()
    try {
      await comments.delete({ comment_id: comment })
    } catch (error) {
      if (problemOf(error).problem !== 'comment_not_found') throw error
      await comments.deleteOnOwnPost({ comment_id: comment })
    }
    res.redirect(303, `${pathOf(id)}#comments`)
  })

  return router
}
