import type { Request, Response } from 'express'
import type { Core } from '../../../routers/core/context.ts'
import { openPost } from '../../../routers/delivery/posts.ts'
import { headers } from '../headers.ts'
import { redirect, sendDocument, sendNotFound } from '../respond.ts'

/**
 * Delivers from `<id>.<posts_domain>`, a post's own origin: its author's document unchanged, or the one that was built
 * for it. Every path but `/` leads to the post's page at the main door.
 */
export const postHandler =
  (core: Core) =>
  async (id: string, req: Request, res: Response): Promise<void> => {
    const post = await openPost(core, id)
    if (!post) return sendNotFound(res)
    if (req.path !== '/') return redirect(res, core.addresses.postPage(id))
    const { origin } = new URL(core.addresses.apiRoot)
    sendDocument(
      res,
      post.format === 'html' ? headers.htmlPost(origin) : headers.builtPost(origin),
      post.document,
    )
  }
