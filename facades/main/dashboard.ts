import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type RequestHandler, Router } from 'express'
import type { Addresses } from '../../routers/api/addresses.ts'
import { basePath } from '../http/base-path.ts'
import { type Encoding, encodedETag, encodingFor } from '../http/encoding.ts'
import { chosenColorScheme, inColorScheme } from '../http/page/color-scheme.ts'
import { logoSvg } from '../http/page/main-site.ts'
import { PROGRAM_SCHEMES, policy } from '../http/policy.ts'
import { sendBytes } from '../http/send-text.ts'
import { signInCookies } from '../http/sign-in-cookies.ts'
import { NONCE } from '../shared/dashboard.ts'

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
    sendBytes(res, Buffer.from(colored.replace(/<base href="[^"]*"/, base).replaceAll(NONCE, nonce)))
  }
}

/** Suffixes of the files that the build compresses. */
const SUFFIXES: Record<Encoding, string> = { br: '.br', gzip: '.gz' }

/** The names of assets that the build writes. They have no folders. */
const ASSET = /^[\w-][\w.-]*$/

/** How long browsers may cache an asset: one year, in seconds. */
const YEAR = 31_536_000

const readAsset = (name: string) => readFile(`${folder}dist/assets/${name}`).catch(() => null)

/**
 * Serves the built assets. Their names contain a hash of their content, so the name is the validator, and browsers may
 * cache them forever. Assets of an earlier build get a 404.
 */
const sendAsset: RequestHandler<{ name: string }> = async (req, res, next) => {
  const { name } = req.params
  if (!ASSET.test(name)) return next()
  const encoding = encodingFor(req)
  const encoded = encoding && (await readAsset(name + SUFFIXES[encoding]))
  // Without a compressed file, as for a picture, send the uncompressed one.
  const bytes = encoded ?? (await readAsset(name))
  if (!bytes) return next()
  const etag = `"${name}"`
  sendBytes(res.type(extname(name)), bytes, {
    ...HEADERS,
    'Cache-Control': `public, max-age=${YEAR}, immutable`,
    Vary: 'Accept-Encoding',
    ETag: encoding && encoded ? encodedETag(etag, encoding) : etag,
    ...(encoding && encoded ? { 'Content-Encoding': encoding } : {}),
  })
}

/**
 * Serves the built dashboard.
 *
 * @param live serves the dashboard during development, instead of the build
 */
export const dashboard = (addresses: Addresses, live?: RequestHandler): Router => {
  const router = Router({ caseSensitive: true, strict: true })
  const logo = Buffer.from(logoSvg)
  router.get(['/favicon.ico', '/favicon.svg'], (_req, res) => sendBytes(res.set(HEADERS).type('svg'), logo))
  if (live) router.use(live)
  else {
    router.get('/admin/assets/:name', sendAsset)
    router.get(VIEW, serveDocument(addresses))
  }
  return router
}
