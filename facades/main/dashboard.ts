import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type RequestHandler, Router } from 'express'
import sirv from 'sirv'
import type { Addresses } from '../../routers/core/addresses.ts'
import { NONCE } from '../shared/nonce.ts'

const folder = fileURLToPath(new URL('../admin/', import.meta.url))

/** What the document may load: its own files, pictures of spaces, and frames that show drafts on origins of their own. */
const policyOf = ({ scheme, filesDomain, pagesDomain }: Addresses, nonce: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    `img-src 'self' blob: data: ${scheme}://*.${filesDomain}`,
    `media-src ${scheme}://*.${filesDomain}`,
    "font-src 'self'",
    "connect-src 'self'",
    `frame-src ${scheme}://*.${pagesDomain}`,
    "form-action 'self'",
    "base-uri 'self'",
    "frame-ancestors 'none'",
  ].join('; ')

const HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
}

/** A path of the screen that names none of its files: what is there, the screen decides. */
const VIEW = /^\/admin(?:\/(?!assets\/).*)?$/

/** The document, told below which path it stands, with a nonce for the styles that its scripts add. */
const documentDoor = (addresses: Addresses): RequestHandler => {
  const base = `${new URL(addresses.apiRoot).pathname.replace(/\/$/, '')}/admin/`
  const file = `${folder}dist/index.html`
  const html = existsSync(file)
    ? readFileSync(file, 'utf8').replace(/<base href="[^"]*"/, `<base href="${base}"`)
    : null
  return (_req, res) => {
    res.set({ ...HEADERS, 'Cache-Control': 'no-cache' })
    if (html === null)
      return void res.status(503).type('text').send('The screen has not been built: npm run build\n')
    const nonce = randomBytes(16).toString('base64')
    res.set('Content-Security-Policy', policyOf(addresses, nonce)).type('html')
    res.send(html.replaceAll(NONCE, nonce))
  }
}

/** The screen's files; each has its content in its name, so that browsers keep them for good. */
const assets = (): RequestHandler =>
  sirv(`${folder}dist/assets`, {
    immutable: true,
    maxAge: 31_536_000,
    brotli: true,
    gzip: true,
    etag: true,
    setHeaders: res => {
      for (const [name, value] of Object.entries(HEADERS)) res.setHeader(name, value)
    },
  })

/**
 * The screen, as it was built.
 *
 * @param live answers in its place while the screen is being worked on
 */
export const dashboard = (addresses: Addresses, live?: RequestHandler): Router => {
  const router = Router({ caseSensitive: true, strict: true })
  const icon = readFileSync(`${folder}icon.svg`)
  router.get(['/favicon.ico', '/favicon.svg'], (_req, res) => void res.set(HEADERS).type('svg').send(icon))
  if (live) router.use(live)
  else {
    // The APIs need no screen; one that has not been built says so in its document's place.
    if (existsSync(`${folder}dist/assets`)) router.use('/admin/assets', assets())
    router.get(VIEW, documentDoor(addresses))
  }
  return router
}
