import { type RequestHandler, Router } from 'express'
import type { Core } from '../../routers/core/context.ts'
import { openIcon } from '../../routers/delivery/icon.ts'
import { publicPages } from './public/door.ts'
import { screen } from './screen.ts'

/** Seconds of a year: icons never change under their address. */
const FOREVER = 31_536_000

/**
 * What the main door serves to browsers beside the APIs.
 *
 * @param liveScreen answers for the screen while that is being worked on
 */
export const mainDoor = (core: Core, liveScreen?: RequestHandler): Router => {
  const router = Router({ caseSensitive: true, strict: true })
  router.use(screen(core.addresses, liveScreen))
  router.get('/_icons/:name', async (req, res) => {
    const id = /^(.+)\.png$/.exec(req.params.name)?.[1]
    const png = id === undefined ? null : await openIcon(core, id)
    if (!png) return void res.status(404).type('text').send('Not found\n')
    res
      .type('png')
      .set({ 'Cache-Control': `public, max-age=${FOREVER}, immutable`, 'X-Content-Type-Options': 'nosniff' })
      .send(png)
  })
  router.use(publicPages(core))
  return router
}
