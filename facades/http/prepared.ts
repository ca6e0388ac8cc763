import { createHash } from 'node:crypto'
import { type Request, type Response, Router } from 'express'
import { sendText } from './send-text.ts'

/** A document that is the same for every caller while the process runs. */
export interface Prepared {
  path: string
  type: string
  text: string
  headers?: Record<string, string>
}

/** Serves prepared documents to GET and HEAD, with an ETag and 304 responses. */
export const prepared = (documents: Prepared[]): Router => {
  const router = Router({ caseSensitive: true, strict: true })
  for (const { path, type, text, headers } of documents) {
    const bytes = Buffer.from(text)
    const all = {
      'Content-Type': type,
      ETag: `"${createHash('sha256').update(bytes).digest('base64url')}"`,
      'Cache-Control': 'no-cache',
      'X-Content-Type-Options': 'nosniff',
      ...headers,
    }
    // Express handles If-None-Match and omits the body of HEAD responses.
    router.get(path, (_req: Request, res: Response) => sendText(res.set(all), bytes))
    router.all(path, (_req, res) => void res.status(405).set('Allow', 'GET, HEAD').end())
  }
  return router
}
