import type { TemplateError } from '../../routers/api/renderer.ts'
import { policy } from '../http/policy.ts'
import type { Headers } from '../http/send-text.ts'
import { EMBEDDED_SANDBOX, SCRIPTED_SANDBOX } from '../shared/sandbox.ts'

/** A sandbox in which links and downloads work and nothing else does. */
const LINKS_ONLY = [
  'allow-popups',
  'allow-popups-to-escape-sandbox',
  'allow-top-navigation-by-user-activation',
  'allow-downloads',
].join(' ')

/** Allows inline styles, and images of the same site. */
const MINIMAL = {
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

/** Documents are rendered for each request and never cached. */
const DOCUMENT = {
  ...EVERYWHERE,
  'Cache-Control': 'no-store',
}

/** Asks the browser to give the origin its own process. Sandboxed documents without an origin do not need it. */
const OWN_PROCESS = { 'Origin-Agent-Cluster': '?1' }

/** Resources that a static page may load. No scripts run in it. */
const STATIC_PAGE = {
  'default-src': "'none'",
  'script-src': "'none'",
  'object-src': "'none'",
  'frame-src': "'none'",
  'img-src': '* data:',
  'media-src': '* data:',
  'font-src': '* data:',
  'manifest-src': '*',
  'style-src': "* data: 'unsafe-inline'",
  'base-uri': "'none'",
  'form-action': "'none'",
}

/**
 * Headers for the document that receives and shows drafts. Browsers can cache this document, because it is the same for
 * every editor and contains no draft.
 */
const RECEIVER = {
  ...EVERYWHERE,
  ...OWN_PROCESS,
  'Cache-Control': 'private, max-age=300',
  'X-Robots-Tag': 'noindex',
}

/** A draft that a link shows is only for people who have the link: no other website and no search engine gets its address. */
const SHARED_DRAFT = {
  ...DOCUMENT,
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex',
}

const NOT_FRAMED = { 'frame-ancestors': "'none'" }

/** The headers of everything that the content domains deliver. */
export const headers = {
  /** A document written by the service: a list, an error page. */
  ownDocument: {
    ...DOCUMENT,
    ...OWN_PROCESS,
    'Content-Security-Policy': policy({ ...MINIMAL, 'frame-ancestors': "'none'" }),
  },

  /** A notice that may appear inside frames too: "not found", "open in the whole window". */
  notice: {
    ...DOCUMENT,
    'Content-Security-Policy': policy({ ...MINIMAL, sandbox: LINKS_ONLY }),
  },

  /** A static page. It is sanitized; the policy is the second line of defense. */
  staticPage: {
    ...DOCUMENT,
    'Content-Security-Policy': policy({
      ...STATIC_PAGE,
      'frame-ancestors': "'none'",
      sandbox: LINKS_ONLY,
    }),
  },

  /**
   * The site's document around a scripted page. It does not restrict where the frame navigates. `default-src` and
   * `frame-src` would: no source list allows every scheme, and a link such as `mailto:` that it does not allow would
   * replace the page with the browser's error page. So this policy lists everything else that a document can load.
   */
  frame: (script: string): Headers => ({
    ...DOCUMENT,
    ...OWN_PROCESS,
    'Content-Security-Policy': policy({
      'script-src': script,
      'style-src': "'unsafe-inline'",
      // The page's icon may be anywhere.
      'img-src': '* data:',
      'font-src': "'none'",
      'media-src': "'none'",
      'connect-src': "'none'",
      'object-src': "'none'",
      'manifest-src': "'none'",
      'worker-src': "'none'",
      'base-uri': "'none'",
      'form-action': "'none'",
      'frame-ancestors': "'none'",
    }),
  }),

  /**
   * The document that a site sends to a frame instead of the requested page. Any website may frame this document,
   * because the document contains only the site's name and the requested address. The page around the frame receives
   * messages from this document. It recognizes the messages by their origin, which is the site's origin.
   */
  forward: (script: string): Headers => ({
    ...DOCUMENT,
    ...OWN_PROCESS,
    'Content-Security-Policy': policy({ ...MINIMAL, 'script-src': script }),
  }),

  /** A scripted page on its own origin, framed by its site or opened directly. */
  scriptedPage: (siteUrl: string, pageUrl: string): Headers => ({
    ...DOCUMENT,
    ...OWN_PROCESS,
    'Content-Security-Policy': policy({ sandbox: SCRIPTED_SANDBOX, 'frame-ancestors': siteUrl }),
    // Search engines should index the site address, not this frame.
    Link: `<${pageUrl}>; rel="canonical"`,
    'X-Robots-Tag': 'noindex, indexifembedded',
  }),

  /** The explanation of a template error in place of a scripted page. */
  framedError: (siteUrl: string): Headers => ({
    ...DOCUMENT,
    ...OWN_PROCESS,
    'Content-Security-Policy': policy({
      ...MINIMAL,
      'frame-ancestors': siteUrl,
      sandbox: `${LINKS_ONLY} allow-same-origin`,
    }),
  }),

  /**
   * The receiver for drafts of scripted pages: a document that receives drafts and shows them. A draft runs with nearly
   * the same permissions as the saved page.
   */
  scriptedPreview: (dashboardOrigin: string): Headers => ({
    ...RECEIVER,
    'Content-Security-Policy': policy({ sandbox: EMBEDDED_SANDBOX, 'frame-ancestors': dashboardOrigin }),
  }),

  /**
   * The receiver for drafts of static pages. The receiver shows a draft in a frame, and the frame inherits this
   * Content-Security-Policy from the receiver.
   *
   * @param script the source of the receiver's own script, the only one allowed
   */
  staticPreview: (dashboardOrigin: string, script: string): Headers => ({
    ...RECEIVER,
    'Content-Security-Policy': policy({
      ...STATIC_PAGE,
      'script-src': script,
      'frame-ancestors': dashboardOrigin,
      sandbox: 'allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox',
    }),
  }),

  /** A page of any kind that the dashboard shows as a picture: nothing runs in it, and it has no origin. */
  picture: (dashboardOrigin: string): Headers => ({
    ...DOCUMENT,
    'X-Robots-Tag': 'noindex',
    'Content-Security-Policy': policy({
      ...STATIC_PAGE,
      'frame-ancestors': dashboardOrigin,
      sandbox: '',
    }),
  }),

  /** A draft that a preview link shows, with the permissions of a saved page of its kind. */
  sharedDraft: (kind: 'scripted' | 'static'): Headers => ({
    ...SHARED_DRAFT,
    ...(kind === 'scripted' ? OWN_PROCESS : {}),
    'Content-Security-Policy': policy(
      kind === 'scripted'
        ? { ...NOT_FRAMED, sandbox: SCRIPTED_SANDBOX }
        : { ...STATIC_PAGE, ...NOT_FRAMED, sandbox: LINKS_ONLY },
    ),
  }),

  /** The explanation of a template error in place of such a draft. */
  sharedDraftError: {
    ...SHARED_DRAFT,
    'Content-Security-Policy': policy({ ...MINIMAL, ...NOT_FRAMED, sandbox: LINKS_ONLY }),
  },

  /**
   * A post in HTML, served as its author wrote it. The main site shows the post in a frame. Readers can also open the
   * post directly.
   */
  htmlPost: (mainOrigin: string): Headers => ({
    ...DOCUMENT,
    ...OWN_PROCESS,
    'Content-Security-Policy': policy({ sandbox: SCRIPTED_SANDBOX, 'frame-ancestors': mainOrigin }),
  }),

  /** A post whose document the service built. Its images may come from anywhere. */
  builtPost: (mainOrigin: string): Headers => ({
    ...DOCUMENT,
    'Content-Security-Policy': policy({
      ...MINIMAL,
      'img-src': 'http: https:',
      'frame-ancestors': mainOrigin,
      sandbox: LINKS_ONLY,
    }),
  }),

  /** Feed, site map, robots.txt, icon: cached, but revalidated each time. */
  resource: {
    ...EVERYWHERE,
    'Cache-Control': 'no-cache',
    'Content-Security-Policy': policy({ 'default-src': "'none'", sandbox: '' }),
  },

  /** The script `/_page.js`, which pages can load. */
  script: {
    ...EVERYWHERE,
    'Cache-Control': 'public, max-age=3600',
    'Content-Security-Policy': policy({ 'default-src': "'none'", sandbox: '' }),
  },

  redirect: { ...EVERYWHERE, 'Cache-Control': 'no-store' },

  /**
   * A file. PDFs are not sandboxed, because some browsers cannot show them in a sandbox. With or without the
   * sandbox, no script runs on the file's origin.
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

/** The kind of a template error, for programs that monitor a site. */
export const templateErrorHeader = (error: TemplateError): Headers => ({ 'X-Template-Error': error.kind })
