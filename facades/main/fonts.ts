import { Router } from 'express'
import { fontFiles, fontLicense } from '../http/page/typeface.ts'
import { sendBytes, sendText } from '../http/send-text.ts'

/**
 * How long browsers may cache a font file: one year, in seconds. A changed file has a new name, because the name of a
 * font file contains a hash of its content.
 */
const YEAR = 31_536_000

/** Serves the files of the typeface and their license. */
export const fonts = (): Router => {
  const router = Router({ caseSensitive: true, strict: true })
  for (const { name, bytes } of fontFiles)
    router.get(`/${name}`, (_req, res) => {
      sendBytes(res.type('woff2'), bytes, {
        'Cache-Control': `public, max-age=${YEAR}, immutable`,
        'X-Content-Type-Options': 'nosniff',
        'Cross-Origin-Resource-Policy': 'same-origin',
        ETag: `"${name}"`,
      })
    })
  router.get('/LICENSE.txt', (_req, res) => {
    sendText(res.type('text'), fontLicense, { 'X-Content-Type-Options': 'nosniff' })
  })
  return router
}
