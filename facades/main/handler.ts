import { type RequestHandler, Router } from 'express'
import { openIcon } from '../../routers/delivery/find-space.ts'
import { FONT_PATH } from '../http/page/typeface.ts'
import { sendBytes } from '../http/send-text.ts'
import { dashboard } from './dashboard.ts'
import { fonts } from './fonts.ts'
import { publicPages } from './public/handler.ts'
import type { PublicPagesOptions } from './public/reader-forms.ts'

/** One year, in seconds. The icon at an address never changes. */
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
