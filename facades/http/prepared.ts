import { createHash } from 'node:crypto'
import { type Request, type Response, Router } from 'express'
import { COLOR_SCHEMES } from '../../routers/api/palette.ts'
import { chosenColorScheme, inColorScheme } from './page/color-scheme.ts'
import { sendText } from './send-text.ts'

/** A document that is the same for every caller while the process runs. */
export interface Prepared {
  path: string
  type: string
  text: string
  headers?: Record<string, string>
}

/**
 * Serves prepared documents to GET and HEAD, with an ETag and 304 responses. HTML documents get the color scheme that
 * the visitor chose.
 */
export const prepared = (documents: Prepared[]): Router => {
  const router = Router({ caseSensitive: true, strict: true })
  for (const { path, type, text, headers } of documents) {
    const isHtml = type.startsWith('text/html')
    const variants = variantsOf(text, isHtml)
    const all = {
      'Content-Type': type,
      'Cache-Control': 'no-cache',
      'X-Content-Type-Options': 'nosniff',
      ...(isHtml ? { Vary: 'Cookie' } : {}),
      ...headers,
    }
    router.get(path, (req: Request, res: Response) => {
      const { bytes, etag } = variants.get(isHtml ? chosenColorScheme(req) : undefined)!
      // `sendText` handles If-None-Match and omits the body of HEAD responses.
      sendText(res.set(all).set('ETag', etag), bytes)
    })
    router.all(path, (_req, res) => void res.status(405).set('Allow', 'GET, HEAD').end())
  }
  return router
}

// A function of its own, so that the handlers above don't keep the text in memory beside the bytes.
const variantsOf = (text: string, isHtml: boolean) =>
  new Map(
    [undefined, ...(isHtml ? COLOR_SCHEMES : [])].map(scheme => [
      scheme,
      variant(inColorScheme(text, scheme)),
    ]),
  )

const variant = (text: string) => {
  const bytes = Buffer.from(text)
  return { bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url')}"` }
}
