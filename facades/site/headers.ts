import type { TemplateError } from '../../routers/core/renderer.ts'
import { PREVIEW_SANDBOX, SCRIPTED_SANDBOX } from '../shared/sandbox.ts'
import { FRAGMENT_SCRIPT } from './documents/fragment.ts'

/** Headers by name. */
export type Headers = Record<string, string>

const policy = (directives: Record<string, string>): string =>
  Object.entries(directives)
    .map(([name, value]) => `${name} ${value}`.trim())
    .join('; ')

/** Links open, in this window or another, and downloads start; nothing else is left of what a document can do. */
const LINKS_ONLY = [
  'allow-popups',
  'allow-popups-to-escape-sandbox',
  'allow-top-navigation-by-user-activation',
  'allow-downloads',
].join(' ')

/** Nothing but a document's own styles, and pictures of its site. */
const QUIET = {
  'default-src': "'none'",
  'style-src': "'unsafe-inline'",
  'img-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
}

const EVERYWHERE = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'strict-origin-when-cross-origin',
}

/** Documents are put together anew each time, and whoever sees one later sees a new one. */
const DOCUMENT = {
  ...EVERYWHERE,
  'Cache-Control': 'no-store',
}

/** Keeps an origin apart from its siblings in the browser's memory too; a sandbox without an origin needs no telling. */
const ALONE = { 'Origin-Agent-Cluster': '?1' }

/** What a static page loads. No script of any kind runs in it. */
const STATIC_PAGE = {
  'default-src': "'none'",
  'script-src': "'none'",
  'object-src': "'none'",
  'frame-src': "'none'",
  'img-src': '* data:',
  'media-src': '* data:',
  'font-src': '* data:',
  'style-src': "* data: 'unsafe-inline'",
  'base-uri': "'none'",
  'form-action': "'none'",
}

/** The receiver of drafts is the same for everybody, and holds none. */
const RECEIVER = {
  ...EVERYWHERE,
  ...ALONE,
  'Cache-Control': 'private, max-age=300',
  'X-Robots-Tag': 'noindex',
}

/** The headers of everything that is delivered, by what it is. */
export const headers = {
  /** A document that the service writes itself: a list, an error page. */
  ownDocument: {
    ...DOCUMENT,
    ...ALONE,
    'Content-Security-Policy': policy({ ...QUIET, 'frame-ancestors': "'none'" }),
  },

  /** One that is shown inside frames too: "continue in the whole window", "not found". */
  notice: {
    ...DOCUMENT,
    'Content-Security-Policy': policy({ ...QUIET, sandbox: LINKS_ONLY }),
  },

  /** A static page, which is sanitized already; this stands behind it. */
  staticPage: {
    ...DOCUMENT,
    'Content-Security-Policy': policy({
      ...STATIC_PAGE,
      'frame-ancestors': "'none'",
      sandbox: LINKS_ONLY,
    }),
  },

  /** The site's document around a scripted page. Where links lead the frame is not the site's to say. */
  frame: {
    ...DOCUMENT,
    ...ALONE,
    'Content-Security-Policy': policy({
      ...QUIET,
      'script-src': FRAGMENT_SCRIPT,
      'frame-src': '*',
      'frame-ancestors': "'none'",
    }),
  },

  /** A scripted page at its own origin, in its site's frame or opened directly. */
  scriptedPage: (siteUrl: string, pageUrl: string): Headers => ({
    ...DOCUMENT,
    ...ALONE,
    'Content-Security-Policy': policy({ sandbox: SCRIPTED_SANDBOX, 'frame-ancestors': siteUrl }),
    // Searched for is the page on its site, of which this is a part.
    Link: `<${pageUrl}>; rel="canonical"`,
    'X-Robots-Tag': 'noindex, indexifembedded',
  }),

  /** What is wrong with a scripted page, in the place of it. */
  framedError: (siteUrl: string): Headers => ({
    ...DOCUMENT,
    ...ALONE,
    'Content-Security-Policy': policy({
      ...QUIET,
      'frame-ancestors': siteUrl,
      sandbox: `${LINKS_ONLY} allow-same-origin`,
    }),
  }),

  /** What shows drafts of scripted pages to the screen: they get what a page gets at its own origin. */
  scriptedPreview: (screenOrigin: string): Headers => ({
    ...RECEIVER,
    'Content-Security-Policy': policy({ sandbox: PREVIEW_SANDBOX, 'frame-ancestors': screenOrigin }),
  }),

  /**
   * What shows drafts of static pages to the screen. The frame within it inherits this.
   *
   * @param script the source of the only script, which is the service's own
   */
  staticPreview: (screenOrigin: string, script: string): Headers => ({
    ...RECEIVER,
    'Content-Security-Policy': policy({
      ...STATIC_PAGE,
      'script-src': script,
      'frame-ancestors': screenOrigin,
      sandbox: 'allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox',
    }),
  }),

  /** A post that is its author's own document, in the frame of a list or opened directly. */
  htmlPost: (mainOrigin: string): Headers => ({
    ...DOCUMENT,
    ...ALONE,
    'Content-Security-Policy': policy({ sandbox: SCRIPTED_SANDBOX, 'frame-ancestors': mainOrigin }),
  }),

  /** A post whose document the service has built. Pictures in its text may come from anywhere. */
  builtPost: (mainOrigin: string): Headers => ({
    ...DOCUMENT,
    'Content-Security-Policy': policy({
      ...QUIET,
      'img-src': 'http: https:',
      'frame-ancestors': mainOrigin,
      sandbox: LINKS_ONLY,
    }),
  }),

  /** Feed, site map, robots.txt, icon: kept by whoever likes, but asked for again each time. */
  forMachines: {
    ...EVERYWHERE,
    'Cache-Control': 'no-cache',
    'Content-Security-Policy': policy({ 'default-src': "'none'", sandbox: '' }),
  },

  redirect: { ...EVERYWHERE, 'Cache-Control': 'no-store' },

  /**
   * A file (decision 28). A PDF is not put in a sandbox, in which not every browser shows one; no script of the
   * file's origin runs in either case.
   */
  file: (contentType: string): Headers => ({
    ...EVERYWHERE,
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'public, max-age=300',
    'Content-Security-Policy': policy({
      'default-src': "'none'",
      'script-src': "'none'",
      'img-src': "'self' data:",
      'media-src': "'self' data:",
      'font-src': 'data:',
      'style-src': "'unsafe-inline'",
      'object-src': contentType === 'application/pdf' ? "'self'" : "'none'",
      'base-uri': "'none'",
      'form-action': "'none'",
      ...(contentType === 'application/pdf' ? {} : { sandbox: '' }),
    }),
    'Access-Control-Allow-Origin': '*',
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'Accept-Ranges': 'bytes',
  }),
}

/** The kind of what is wrong with a template, for programs that watch a site (decision 29). */
export const templateErrorHeader = (error: TemplateError): Headers => ({ 'X-Template-Error': error.kind })
