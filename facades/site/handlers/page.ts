import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Core } from '../../../routers/core/context.ts'
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
 * Serves `<id>.<pages_domain>`, the origin of a scripted page. The page is at two paths: `/`, and the path that it has
 * on the site.
 *
 * - Every other path redirects to that path on the site.
 * - Links on the page are meant for the site. So even a link to one of the two paths redirects to the site.
 * - If the page has become static, both paths redirect to the page's address on the site.
 */
export const pageHandler = (core: Core) => {
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
