import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import express, { type Request, type Response, Router } from 'express'
import type { Core } from '../../../routers/core/context.ts'
import { readFrontPage } from '../../../routers/delivery/front-page.ts'
import { readPost, readProfile, readTimeline } from '../../../routers/delivery/posts.ts'
import { pagePolicy } from '../../http/policy.ts'
import { sendText } from '../../http/send-text.ts'
import { signInCookies } from '../../http/sign-in-cookies.ts'
import { frontPage } from './front.ts'
import { publicStyle } from './layout.ts'
import { notFoundPage, olderPostsPage, postPage, profilePage } from './pages.ts'

/** The screenshots of the dashboard, which the README shows too. */
const images = fileURLToPath(new URL('../../../docs/images/', import.meta.url))

const setHeaders = (res: Response) => void res.set('X-Content-Type-Options', 'nosniff')

/** The public pages of the main site: the front page, profiles, posts with their comments. */
export const publicPages = (core: Core): Router => {
  const { addresses } = core
  const headers = headersFor(new URL(addresses.post('x')).origin.replace('//x.', '//*.'))
  const cookies = signInCookies(new URL(addresses.apiRoot).origin)
  const send = (res: Response, text: string, cacheControl = 'no-cache') => {
    const digest = createHash('sha256').update(text).digest('base64url').slice(0, 22)
    sendText(res.set({ ...headers, 'Cache-Control': cacheControl, ETag: `"${digest}"` }).type('html'), text)
  }

  const router = Router({ caseSensitive: true, strict: true })
  router.get('/', async (req, res, next) => {
    const cursor = cursorOf(req)
    const { hasTimeline } = core.frontPage
    if (cursor !== null && !hasTimeline) return next()
    const posts = hasTimeline ? await readTimeline(core, cursor) : null
    if (hasTimeline && !posts) return next()
    if (posts && cursor !== null) return send(res, olderPostsPage(posts, addresses))
    const visit = await readFrontPage(core, cookies.session(req))
    res.vary('Cookie')
    const cacheControl = visit.handle === null ? 'no-cache' : 'private, no-cache'
    send(res, frontPage(core, { ...visit, posts }), cacheControl)
  })
  router.use(
    '/_front',
    express.static(images, { index: false, redirect: false, fallthrough: true, maxAge: '1h', setHeaders }),
  )
  router.get('/@:handle', async (req, res, next) => {
    const profile = await readProfile(core, req.params.handle, cursorOf(req))
    if (!profile) return next()
    send(res, profilePage(profile, addresses))
  })
  router.get('/posts/:id', async (req, res, next) => {
    const found = await readPost(core, req.params.id)
    if (!found) return next()
    send(res, postPage(found, addresses))
  })
  router.use((req, res) => {
    if (req.method === 'GET' || req.method === 'HEAD') return send(res.status(404), notFoundPage(addresses))
    res.status(405).set({ Allow: 'GET, HEAD' }).type('text').send('Only GET and HEAD are allowed here\n')
  })
  return router
}

/**
 * Returns a list's cursor from the query, or null for the first page. A repeated parameter becomes an invalid cursor.
 */
const cursorOf = ({ query: { before } }: Request): string | null => {
  if (before === undefined) return null
  return typeof before === 'string' ? before : ''
}

/**
 * No scripts run on these pages. Images may come from anywhere, because posts can contain images. Posts with scripts
 * run in frames on their own origins.
 *
 * @param frames the origins of posts
 */
const headersFor = (frames: string) => ({
  'Content-Security-Policy': pagePolicy(publicStyle, {
    'img-src': "'self' http: https:",
    'frame-src': frames,
  }),
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
})
