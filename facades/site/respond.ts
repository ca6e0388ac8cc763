import { createHash } from 'node:crypto'
import type { Request, Response } from 'express'
import type { TemplateError } from '../../routers/core/renderer.ts'
import type { Site } from '../../routers/delivery/find-page.ts'
import { noSuchPage, nothingHere } from './documents/notices.ts'
import { errorPage } from './documents/template-error.ts'
import { type Headers, headers, templateErrorHeader } from './headers.ts'

/** Answers with a document; HEAD with everything but its bytes. */
export const sendDocument = (res: Response, given: Headers, document: string | Buffer): void =>
  void res.set({ ...given, 'Content-Type': 'text/html; charset=utf-8' }).send(document)

/** Answers with a document that explains what is wrong with a page's template (decision 29). */
export const sendTemplateError = (res: Response, given: Headers, error: TemplateError): void =>
  sendDocument(res, { ...given, ...templateErrorHeader(error) }, errorPage(error))

/** Answers with something for programs, or 304 to one that has it already. */
export const sendToMachine = (res: Response, type: string, body: string | Buffer): void => {
  const digest = createHash('sha256').update(body).digest('base64url').slice(0, 22)
  res.set({ ...headers.forMachines, ETag: `"${digest}"`, 'Content-Type': type }).send(body)
}

/** 404 of an address that nothing is known of, or of one on a site. */
export const sendNotFound = (res: Response, site: Site | null = null): void =>
  sendDocument(res.status(404), headers.notice, site ? noSuchPage(site) : nothingHere())

/** @param location an address, or a path that begins with a single slash */
export const redirect = (res: Response, location: string): void =>
  void res
    .status(302)
    .set({ ...headers.redirect, Location: location })
    .end()

/** The query of a request with its question mark; empty when there is none. */
export const queryOf = (req: Request): string => {
  const at = req.url.indexOf('?')
  return at === -1 ? '' : req.url.slice(at)
}

const FRAMES = new Set(['iframe', 'frame', 'fencedframe', 'embed', 'object'])

/** Whether a browser says that it asks for a document inside another one. */
export const isFramed = (req: Request): boolean => FRAMES.has(req.get('Sec-Fetch-Dest') ?? '')
