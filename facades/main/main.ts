import { Router } from 'express'
import type { Core } from '../../routers/context.ts'
import { openIcon } from '../../routers/delivery/icon.ts'
import { home } from './home.ts'
import { screen } from './screen.ts'

/** Seconds of a year: icons never change under their address. */
const FOREVER = 31_536_000

/** Headers of a page without scripts. */
const PLAIN = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
}

/** What the main door serves to browsers beside the APIs. */
export const mainDoor = (core: Core): Router => {
  const router = Router({ caseSensitive: true, strict: true })
  router.use(screen())
  router.get('/', (_req, res) => void res.set(PLAIN).type('html').send(home(core.addresses)))
  router.get('/_icons/:name', async (req, res) => {
    const id = /^(.+)\.png$/.exec(req.params.name)?.[1]
    const png = id === undefined ? null : await openIcon(core, id)
    if (!png) return void res.status(404).type('text').send('Not found\n')
    res
      .type('png')
      .set({ 'Cache-Control': `public, max-age=${FOREVER}, immutable`, 'X-Content-Type-Options': 'nosniff' })
      .send(png)
  })
  router.use((_req, res) => void res.status(404).set(PLAIN).type('text').send('Not found\n'))
  return router
}
