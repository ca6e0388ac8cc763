import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Delivery } from '../../../routers/api/context.ts'
import { evaluate } from '../../../routers/delivery/evaluate-page.ts'
import { pageFinder } from '../../../routers/delivery/find-page.ts'
import { headers } from '../headers.ts'
import {
  isNavigatedFromItself,
  pathOf,
  queryOf,
  redirect,
  sendDocument,
  sendNotFound,
  sendTemplateError,
} from '../respond.ts'

/**
 * Serves `<id>.<pages_domain>`, the origin of a scripted page. The page has two paths on this origin: `/`, and the path
 * that it has on the site. In three cases, the handler redirects to the site instead:
 *
 * - The request has another path. The handler redirects to the same path on the site.
 * - The request comes from a link on the page itself. Such a link is meant for the site, even if the link leads to one
 *   of the two paths. The handler redirects to the same path on the site.
 * - The page has become static. The handler redirects to the page's address on the site.
 */
export const pageHandler = (core: Delivery) => {
  const findPage = pageFinder(core)
  return async (id: string, req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const found = await findPage(id)
    if (!found) return sendNotFound(res)
    const { siteUrl, page } = found
    const path = pathOf(req)
    const isPage = path === '/' || path === `/${page.slug}`
    if (!isPage || isNavigatedFromItself(req, siteUrl))
      return redirect(res, new URL(siteUrl + path + queryOf(req)).href)
    if (page.kind === 'static') return redirect(res, page.url)
    const result = await evaluate(core, page.row)
    if (!result) return sendNotFound(res)
    if (result.ok) sendDocument(res, headers.scriptedPage(siteUrl, page.url), result.html)
    else sendTemplateError(res, headers.framedError(siteUrl), result.error, page.editor)
  }
}
