import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import express, { type RequestHandler, Router } from 'express'
import type { Addresses } from '../../routers/core/addresses.ts'
import { basePath } from '../http/base-path.ts'
import { type Encoding, encodingFor } from '../http/encoding.ts'
import { chosenColorScheme, inColorScheme } from '../http/page/color-scheme.ts'
import { logoSvg } from '../http/page/main-site.ts'
import { PROGRAM_SCHEMES, policy } from '../http/policy.ts'
import { signInCookies } from '../http/sign-in-cookies.ts'
import { NONCE } from '../shared/nonce.ts'

const folder = fileURLToPath(new URL('../admin/', import.meta.url))

/**
 * Lets the dashboard load only its own assets, files of spaces, and the frames that show previews of drafts.
 */
const policyOf = ({ scheme, filesDomain, pagesDomain }: Addresses, nonce: string) =>
  policy({
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': `'self' 'nonce-${nonce}'`,
    'img-src': `'self' blob: data: ${scheme}://*.${filesDomain}`,
    'media-src': `${scheme}://*.${filesDomain}`,
    'font-src': "'self'",
    'connect-src': "'self'",
    'frame-src': `${scheme}://*.${pagesDomain} ${PROGRAM_SCHEMES}`,
    'form-action': "'self'",
    'base-uri': "'self'",
    'frame-ancestors': "'none'",
  })

const HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
}

/** Paths of the dashboard's views: every path except those of assets. The dashboard's own router resolves them. */
const VIEW = /^\/admin(?:\/(?!assets\/).*)?$/

/** The start tag of the element that is painted first. Browsers without a session get `SIGNED_OUT_FRAME`. */
const FRAME = '<div class="first-paint">'
const SIGNED_OUT_FRAME = '<div class="first-paint is-signed-out">'

/**
 * Serves the dashboard's HTML document, with the base path and a nonce for styles that scripts add. Reads the file for
 * each request, because every build changes the names of the assets in it.
 */
const serveDocument = (addresses: Addresses): RequestHandler => {
  const base = `<base href="${basePath(addresses.apiRoot)}/admin/"`
  const cookies = signInCookies(new URL(addresses.apiRoot).origin)
  return async (req, res) => {
    const html = await readFile(`${folder}dist/index.html`, 'utf8').catch(() => null)
    res.set({ ...HEADERS, 'Cache-Control': 'no-cache' })
    if (html === null)
      return void res.status(503).type('text').send('The dashboard has not been built. Run: npm run build\n')
    const nonce = randomBytes(16).toString('base64')
    res.set('Content-Security-Policy', policyOf(addresses, nonce)).type('html')
    // There is no need to look up the session. The session cookie and the color scheme cookie affect only what is
    // shown until the scripts have loaded.
    const isSignedOut = cookies.session(req) === undefined
    const framed = isSignedOut ? html.replace(FRAME, SIGNED_OUT_FRAME) : html
    const colored = inColorScheme(framed, chosenColorScheme(req))
    res.vary('Cookie')
    res.send(colored.replace(/<base href="[^"]*"/, base).replaceAll(NONCE, nonce))
  }
}

/** Suffixes of the files that the build compresses. */
const SUFFIXES: Record<Encoding, string> = { br: '.br', gzip: '.gz' }

/**
 * Serves the built assets. Their names contain a hash of their content, so browsers may cache them forever. Assets of
 * an earlier build get a 404.
 */
const assets = (): RequestHandler => {
  const filesIn = (encoding: Encoding | null) =>
    express.static(`${folder}dist/assets`, {
      immutable: true,
      maxAge: '1y',
      index: false,
      redirect: false,
      setHeaders: (res, file) => {
        res.set({ ...HEADERS, Vary: 'Accept-Encoding' })
        if (encoding) res.set('Content-Encoding', encoding).type(extname(basename(file, SUFFIXES[encoding])))
      },
    })
  const plain = filesIn(null)
  const compressed = { br: filesIn('br'), gzip: filesIn('gzip') }
  return (req, res, next) => {
    const encoding = encodingFor(req)
    if (!encoding) return void plain(req, res, next)
    const { url } = req
    req.url = req.path + SUFFIXES[encoding]
    compressed[encoding](req, res, error => {
      req.url = url
      // There is no compressed file, for example for a picture: send the uncompressed one.
      if (error) next(error)
      else plain(req, res, next)
    })
  }
}

/**
 * Serves the built dashboard.
 *
 * @param live serves the dashboard during development, instead of the build
 */
export const dashboard = (addresses: Addresses, live?: RequestHandler): Router => {
  const router = Router({ caseSensitive: true, strict: true })
  router.get(['/favicon.ico', '/favicon.svg'], (_req, res) => void res.set(HEADERS).type('svg').send(logoSvg))
  if (live) router.use(live)
  else {
    router.use('/admin/assets', assets())
    router.get(VIEW, serveDocument(addresses))
  }
  return router
}
