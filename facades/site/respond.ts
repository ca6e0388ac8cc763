import { createHash } from 'node:crypto'
import type { Request, Response } from 'express'
import type { TemplateError } from '../../routers/core/renderer.ts'
import type { Site } from '../../routers/delivery/find-page.ts'
import { sendText } from '../http/send-text.ts'
import { nothingHere, pageNotFound } from './documents/notices.ts'
import { errorPage } from './documents/template-error.ts'
import { type Headers, headers, templateErrorHeader } from './headers.ts'

/** Sends a document; for HEAD only its headers. */
export const sendDocument = (res: Response, given: Headers, document: string | Buffer): void =>
  sendText(res.set({ ...given, 'Content-Type': 'text/html; charset=utf-8' }), document)

/**
 * Sends a document that explains a template error.
 *
 * @param editor the address of the page's editor
 */
export const sendTemplateError = (
  res: Response,
  given: Headers,
  error: TemplateError,
  editor: string,
): void => sendDocument(res, { ...given, ...templateErrorHeader(error) }, errorPage(error, editor))

/** Sends a feed, site map or icon, or 304 when the client has the current one. */
export const sendResource = (res: Response, type: string, body: string | Buffer): void => {
  const digest = createHash('sha256').update(body).digest('base64url').slice(0, 22)
  res.set({ ...headers.resource, ETag: `"${digest}"`, 'Content-Type': type })
  if (type === 'image/png') res.send(body)
  else sendText(res, body)
}

/** Sends a 404: for a page of a site, or for a name under which nothing exists. */
export const sendNotFound = (res: Response, site: Site | null = null): void =>
  sendDocument(res.status(404), headers.notice, site ? pageNotFound(site) : nothingHere())

/**
 * Redirects to an address.
 *
 * @param location an absolute URL, or a path that begins with a single slash
 */
export const redirect = (res: Response, location: string): void =>
  void res
    .status(302)
    .set({ ...headers.redirect, Location: location })
    .end()

/** The query string with its question mark, or an empty string. */
export const queryOf = (req: Request): string => {
  const at = req.url.indexOf('?')
  return at === -1 ? '' : req.url.slice(at)
}

const FRAMES = new Set(['iframe', 'frame', 'fencedframe', 'embed', 'object'])

/** Whether a browser requests the document for a frame. */
export const isFramed = (req: Request): boolean => FRAMES.has(req.get('Sec-Fetch-Dest') ?? '')

/**
 * Whether a scripted page navigates its own window or frame to its own origin. False after the Back button, because
 * browsers then repeat the site's original request, and in browsers that do not send these headers.
 */
export const isNavigatedFromItself = (req: Request, siteUrl: string): boolean =>
  req.get('Sec-Fetch-Mode') === 'navigate' &&
  req.get('Sec-Fetch-Site') === 'same-origin' &&
  req.get('Referer') !== `${siteUrl}/`
