import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { type Response, Router } from 'express'
import type { SessionActor } from '../../../routers/api/actor.ts'
import { demoSubdomain } from '../../../routers/delivery/demo.ts'
import { readProfile, readTimeline } from '../../../routers/delivery/posts.ts'
import { basePath } from '../../http/base-path.ts'
import { chosenColorScheme, inColorScheme } from '../../http/page/color-scheme.ts'
import type { InlineScript } from '../../http/page/inline-script.ts'
import type { Style } from '../../http/page/style.ts'
import { PROGRAM_SCHEMES, pagePolicy } from '../../http/policy.ts'
import { type Headers, sendBytes, sendText } from '../../http/send-text.ts'
import { previewScript } from './comment-form.ts'
import { discussion } from './discussion.ts'
import { editComment } from './edit-comment.ts'
import { following } from './following.ts'
import { frontPage, olderPostsPage } from './front.ts'
import { notFoundPage, publicStyle, readerScript } from './layout.ts'
import { muting } from './muting.ts'
import { profilePage } from './profile.ts'
import { cursorOf, type PublicPagesOptions, readerForms, type SendPage } from './reader-forms.ts'
import { reporting } from './reporting.ts'
import { suspending } from './suspending.ts'

/** The folder of the screenshots of the dashboard, which the README shows too. */
const images = fileURLToPath(new URL('../../../docs/images/', import.meta.url))

const tagOf = (content: Buffer) =>
  `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`

/** A page that is ready to be sent. */
interface PreparedPage {
  bytes: Buffer
  etag: string
}

const prepare = (page: string): PreparedPage => {
  const bytes = Buffer.from(page)
  return { bytes, etag: tagOf(bytes) }
}

/** The public pages of the main site: the front page, profiles, posts with their comments. */
export const publicPages = (options: PublicPagesOptions): Router => {
  const { core } = options.contextFor(null)
  const { addresses } = core
  const style = publicStyle(basePath(addresses.apiRoot))
  const pageHeaders = headersFor(style)
  const personalHeaders = headersFor(style, readerScript, previewScript)
  const send: SendPage = (res, page, isPersonal) => {
    const text = inColorScheme(page, chosenColorScheme(res.req))
    sendPrepared(res, prepare(text), {
      ...(isPersonal ? personalHeaders : pageHeaders),
      'Cache-Control': isPersonal ? 'private, no-cache' : 'no-cache',
    })
  }
  const sendPrepared = (res: Response, { bytes, etag }: PreparedPage, headers: Headers) => {
    res.vary('Cookie')
    sendText(res.set({ ...headers, ETag: etag }).type('html'), bytes)
  }

  const readFrontPage = async (reader: SessionActor | null): Promise<string> => {
    const [posts, demo] = await Promise.all([
      core.frontPage.hasTimeline ? readTimeline(core, reader, null) : null,
      demoSubdomain(core),
    ])
    return frontPage(core, { handle: reader?.handle ?? null, demo, posts })
  }
  /** The front page that visitors wait for who arrive now; undefined while nobody waits for one. */
  let awaited: Promise<PreparedPage> | undefined
  /** The last front page that was begun. */
  let begun: Promise<unknown> = Promise.resolve()
  /**
   * Builds one front page at a time. Visitors who arrive while one is built share the next one. The queries of a page
   * are sent after they arrived, so it has everything that was written before their requests.
   */
  const sharedFrontPage = (): Promise<PreparedPage> => {
    if (!awaited) {
      awaited = begun.then(async () => {
        // The queries are sent at the end of this turn of the event loop.
        setImmediate(() => {
          awaited = undefined
        })
        return prepare(await readFrontPage(null))
      })
      begun = awaited.catch(() => {})
    }
    return awaited
  }
  const forms = readerForms(options, send)

  const router = Router({ caseSensitive: true, strict: true })
  router.get('/', async (req, res, next) => {
    const cursor = cursorOf(req)
    const { hasTimeline } = core.frontPage
    if (cursor !== null && !hasTimeline) return next()
    const reader = await forms.readerOf(req, res)
    if (cursor !== null) {
      const posts = await readTimeline(core, reader, cursor)
      return posts ? send(res, olderPostsPage(posts, addresses, reader !== null), reader !== null) : next()
    }
    if (reader || chosenColorScheme(req)) return send(res, await readFrontPage(reader), reader !== null)
    sendPrepared(res, await sharedFrontPage(), { ...pageHeaders, 'Cache-Control': 'no-cache' })
  })
  router.get('/_front/:name', async (req, res, next) => {
    const { name } = req.params
    const bytes = /^[\w-]+\.webp$/.test(name) ? await readFile(`${images}${name}`).catch(() => null) : null
    if (!bytes) return next()
    sendBytes(res.type('webp'), bytes, {
      'Cache-Control': 'public, max-age=3600',
      'X-Content-Type-Options': 'nosniff',
      ETag: tagOf(bytes),
    })
  })
  router.get('/@:handle', async (req, res, next) => {
    const reader = await forms.readerOf(req, res)
    const profile = await readProfile(core, req.params.handle, reader, cursorOf(req))
    if (!profile) return next()
    send(res, profilePage(profile, addresses), reader !== null)
  })
  router.post(
    ['/posts/:id/{*form}', '/@:handle/follow', '/@:handle/mute', '/@:handle/suspension'],
    forms.refuseCrossSite,
  )
  router.use(discussion(forms, send), editComment(forms, send), following(forms, send), muting(forms, send))
  router.use(reporting(forms, send), suspending(forms, send), forms.handleErrors)
  router.use((req, res) => {
    if (req.method === 'GET' || req.method === 'HEAD')
      return send(res.status(404), notFoundPage(basePath(addresses.apiRoot)), false)
    res.status(405).set({ Allow: 'GET, HEAD' }).type('text').send('Only GET and HEAD are allowed here\n')
  })
  return router
}

/**
 * No scripts run on these pages, except the given ones, which may only send requests to this site. Images may come from
 * anywhere, because posts can contain images. Posts with scripts run in frames on their own origins. Links in a post may
 * lead its frame anywhere, because a post can contain frames of any website.
 */
const headersFor = (style: Style, ...scripts: InlineScript[]) => ({
  'Content-Security-Policy': pagePolicy(style, {
    'img-src': "'self' http: https:",
    'frame-src': `* ${PROGRAM_SCHEMES}`,
    'form-action': "'self'",
    ...(scripts.length > 0
      ? { 'script-src': scripts.map(({ source }) => source).join(' '), 'connect-src': "'self'" }
      : {}),
  }),
  'X-Content-Type-Options': 'nosniff',
  // With `no-referrer`, browsers would send `Origin: null` with our own forms.
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
})
