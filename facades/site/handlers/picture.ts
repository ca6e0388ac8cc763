import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Core } from '../../../routers/api/context.ts'
import { evaluate } from '../../../routers/delivery/evaluate-page.ts'
import { siteFinder } from '../../../routers/delivery/find-page.ts'
import { PICTURES } from '../../shared/dashboard.ts'
import { START } from '../canonical.ts'
import { headers } from '../headers.ts'
import { sendDocument, sendNotFound, sendTemplateError } from '../respond.ts'
import { siteLists } from './lists.ts'

/** A path below `PICTURES`: the subdomain of a site and the slug of a page, which is empty for the home page. */
const PATH = /^([^/]+)\/([^/]*)$/

/**
 * Returns a function that sends a page as visitors see it, to be shown small in the dashboard: without scripts, forms
 * and frames, whatever kind of page it is. Pages are public, so anyone may request it, but only the dashboard can frame
 * it. It is not counted as a visit.
 */
export const pictureSender = (core: Core) => {
  const findOnSite = siteFinder(core)
  const lists = siteLists(core)
  const given = headers.picture(new URL(core.addresses.apiRoot).origin)
  return async (path: string, req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const [, subdomain = '', slug = ''] = PATH.exec(path.slice(PICTURES.length)) ?? []
    const found = await findOnSite(subdomain, slug || START)
    if (!found) return sendNotFound(res)
    const { site, page } = found
    if (!page) return slug === '' ? lists.homePage(req, res, site, given) : sendNotFound(res)
    const result = await evaluate(core, page.row)
    if (!result) return sendNotFound(res)
    if (result.ok) sendDocument(res, given, result.html)
    else sendTemplateError(res, given, result.error, null)
  }
}
