import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Core } from '../../../routers/api/context.ts'
import { openPost } from '../../../routers/delivery/posts.ts'
import { headers } from '../headers.ts'
import { pathOf, redirect, sendDocument, sendNotFound } from '../respond.ts'

/**
 * Serves `<id>.<posts_domain>`, the origin of a post: the author's HTML document unchanged, or the document that the
 * service builds for other formats. Every path but `/` redirects to the post's page on the main site.
 */
export const postHandler =
  (core: Core) =>
  async (id: string, req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const post = await openPost(core, id)
    if (!post) return sendNotFound(res)
    if (pathOf(req) !== '/') return redirect(res, core.addresses.postPage(id))
    const { origin } = new URL(core.addresses.apiRoot)
    sendDocument(
      res,
      post.format === 'html' ? headers.htmlPost(origin) : headers.builtPost(origin),
      post.document,
    )
  }
