import { type RequestHandler, Router } from 'express'
import { openIcon } from '../../routers/delivery/find-space.ts'
import { FONT_PATH, fontFiles, fontLicense } from '../http/page/typeface.ts'
import { sendBytes, sendText } from '../http/send-text.ts'
import { dashboard } from './dashboard.ts'
import { publicPages } from './public/handler.ts'
import type { PublicPagesOptions } from './public/reader-forms.ts'

/** One year, in seconds. The icon at an address never changes; nor does a font, whose name has a hash of its content. */
const YEAR = 31_536_000

/**
 * Serves browsers on the main site: the dashboard, icons and the public pages.
 *
 * @param liveDashboard serves the dashboard during development
 */
export const mainHandler = (options: PublicPagesOptions, liveDashboard?: RequestHandler): Router => {
  const { core } = options.contextFor(null)
  const router = Router({ caseSensitive: true, strict: true })
  router.use(dashboard(core.addresses, liveDashboard))
  router.get('/_icons/:name', async (req, res) => {
    const id = /^(.+)\.png$/.exec(req.params.name)?.[1]
    const png = id === undefined ? null : await openIcon(core, id)
    if (!png) return void res.status(404).type('text').send('Not found\n')
    sendBytes(res.type('png'), png, {
      'Cache-Control': `public, max-age=${YEAR}, immutable`,
      'X-Content-Type-Options': 'nosniff',
      ETag: `"${id}"`,
    })
  })
  router.use(FONT_PATH, fonts())
  router.use(publicPages(options))
  return router
}

/** Serves the files of the typeface and their license. */
const fonts = (): Router => {
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
