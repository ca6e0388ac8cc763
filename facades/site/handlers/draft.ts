import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Core } from '../../../routers/api/context.ts'
import { evaluateLinked, isTokenOf, openPreviewLink } from '../../../routers/delivery/preview-link.ts'
import { headers } from '../headers.ts'
import { pathOf, queryOf, redirect, sendDocument, sendNotFound, sendTemplateError } from '../respond.ts'

/** A path that can be one of a site. Another may be the secret of a link with a typing error, which the site must not get. */
const OF_SITE = /^[^A-Z]*$/

/**
 * Serves `draft-<id>.<pages_domain>`, the origin of a preview link: the draft of a page at the secret path of the link.
 * The links on the page lead to the site, so every other path redirects there. Each request reads the link again, so a
 * revoked link has ended with the next request.
 */
export const draftHandler =
  (core: Core) =>
  async (id: string, req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const link = await openPreviewLink(core, id)
    if (!link) return sendNotFound(res)
    const path = pathOf(req)
    if (!isTokenOf(link, path.slice(1)))
      return OF_SITE.test(path)
        ? redirect(res, new URL(core.addresses.site(link.subdomain) + path + queryOf(req)).href)
        : sendNotFound(res)
    const shown = await evaluateLinked(core, link)
    if (!shown) return sendNotFound(res)
    const { kind, outcome } = shown
    if (outcome.ok) sendDocument(res, headers.sharedDraft(kind), outcome.html)
    else sendTemplateError(res, headers.sharedDraftError, outcome.error, null)
  }
