import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { TemplateError } from '../../routers/api/renderer.ts'
import type { Site } from '../../routers/delivery/find-page.ts'
import { type Headers, sendBytes, sendText } from '../http/send-text.ts'
import { nothingHere, pageNotFound } from './documents/notices.ts'
import { errorPage } from './documents/template-error.ts'
import { headers, templateErrorHeader } from './headers.ts'

/** Sends a document; for HEAD only its headers. */
export const sendDocument = (res: ServerResponse, given: Headers, document: string | Buffer): void =>
  sendText(res, document, { ...given, 'Content-Type': 'text/html; charset=utf-8' })

/**
 * Sends a document that explains a template error.
 *
 * @param editor the address of the page's editor; null if there is none
 */
export const sendTemplateError = (
  res: ServerResponse,
  given: Headers,
  error: TemplateError,
  editor: string | null,
): void => sendDocument(res, { ...given, ...templateErrorHeader(error) }, errorPage(error, editor))

/** Sends a feed, site map or icon, or 304 when the client has the current one. */
export const sendResource = (res: ServerResponse, type: string, body: string | Buffer): void => {
  const digest = createHash('sha256').update(body).digest('base64url').slice(0, 22)
  const given = { ...headers.resource, ETag: `"${digest}"`, 'Content-Type': type }
  if (Buffer.isBuffer(body) && type === 'image/png') sendBytes(res, body, given)
  else sendText(res, body, given)
}

/** Sends a 404 page: with `site`, the page for unknown addresses of that site; otherwise, a page without a site. */
export const sendNotFound = (res: ServerResponse, site: Site | null = null): void => {
  res.statusCode = 404
  sendDocument(res, headers.notice, site ? pageNotFound(site) : nothingHere())
}

/**
 * Redirects to an address.
 *
 * @param location an absolute URL, or a path that begins with a single slash
 */
export const redirect = (res: ServerResponse, location: string): void =>
  void res.writeHead(302, { ...headers.redirect, Location: location, 'Content-Length': '0' }).end()

/** The path of a request, without the query string. */
export const pathOf = ({ url = '/' }: IncomingMessage): string => {
  const end = url.search(/[?#]/)
  return end === -1 ? url : url.slice(0, end)
}

/** The query string with its question mark, or an empty string. */
export const queryOf = ({ url = '/' }: IncomingMessage): string => {
  const at = url.indexOf('?')
  return at === -1 ? '' : url.slice(at)
}

const FRAMES = new Set(['iframe', 'frame', 'fencedframe', 'embed', 'object'])

/** Whether a browser requests the document for a frame. */
export const isFramed = ({ headers }: IncomingMessage): boolean => FRAMES.has(headers['sec-fetch-dest'] ?? '')

/**
 * Whether a scripted page navigates its own window or frame to its own origin. The result is false after the Back
 * button: browsers then repeat the original request, whose referrer is the site. The result is also false if the
 * browser does not send the headers `Sec-Fetch-Mode` and `Sec-Fetch-Site`.
 */
export const isNavigatedFromItself = ({ headers }: IncomingMessage, siteUrl: string): boolean =>
  headers['sec-fetch-mode'] === 'navigate' &&
  headers['sec-fetch-site'] === 'same-origin' &&
  headers.referer !== `${siteUrl}/`
