import { html, type Markup } from '../../../routers/api/html.ts'
import { limits } from '../../../routers/api/rules.ts'
import { inlineScript } from '../../http/page/inline-script.ts'
import { illustration, mainSitePage } from '../../http/page/main-site.ts'
import { mainSiteStyle } from '../../http/page/main-site-style.ts'

/** The style of the public pages. */
export const publicStyle = mainSiteStyle(
  new URL('public.css', import.meta.url),
  new URL('front.css', import.meta.url),
)

/** The script of every page for a signed-in reader. */
export const readerScript = inlineScript(new URL('reader-page.js', import.meta.url))

/** A public page: the timeline, a profile, a post. */
export const publicPage = (page: {
  /** The base path of the main site. */
  base: string
  section?: '/' | '/following'
  title: string
  /** Whether the page is for a signed-in person; false by default. */
  isPersonal?: boolean
  head?: Markup
  look?: string
  main: Markup
}): string =>
  mainSitePage({
    ...page,
    style: publicStyle,
    main: page.isPersonal
      ? html`${page.main}
<script data-unread="${page.base}/trpc/notifications.unread" data-max="${limits.unreadNotifications}">${readerScript.code}</script>`
      : page.main,
  })

/** Keeps a page out of search engines. */
export const NO_INDEX = html`<meta name="robots" content="noindex">`

/** A text that a reader sent, and why it was not accepted. */
export interface RefusedText {
  text: string
  reason: Markup
}

interface TextField {
  id: string
  name: string
  /** The start of the ids of the hint and the error. */
  about: string
  label: string
  hint: Markup
  text: string
  /** Why the text was not accepted; null if it was not refused. */
  reason: Markup | null
  hasFocus: boolean
}

/** A field for a text of several lines. */
export const textField = ({ id, name, about, label, hint, text, reason, hasFocus }: TextField): Markup =>
  html`<label for="${id}">${label}</label>
<textarea id="${id}" name="${name}" rows="4" required aria-describedby="${reason ? `${about}-error ` : ''}${about}-hint"${reason ? html` aria-invalid="true"` : null}${hasFocus ? html` autofocus` : null}>
${text}</textarea>
${reason ? html`<p class="error" id="${about}-error" role="alert">${reason}</p>` : null}
<p class="hint" id="${about}-hint">${hint}</p>`

/** The field for the reason of a report or a suspension. */
export const reasonField = (label: string, hint: Markup, refused: RefusedText | null): Markup =>
  textField({
    id: 'reason',
    name: 'reason',
    about: 'reason',
    label,
    hint,
    text: refused?.text ?? '',
    reason: refused?.reason ?? null,
    hasFocus: refused !== null,
  })

const notFound = illustration('not-found')

/** The 404 page of the main site. */
export const notFoundPage = (base: string): string =>
  publicPage({
    base,
    title: 'Page not found · Space Site',
    look: 'lost',
    main: html`${notFound}<h1>Page not found</h1>
<p>The address may be mistyped, or the page may have been deleted. <a href="${base}/">Go to the front page</a>.</p>`,
  })

/** The page that says why a form had no effect. */
export const refusedPage = (base: string, title: string, text: Markup): string =>
  publicPage({
    base,
    title: `${title} · Space Site`,
    main: html`<h1>${title}</h1>
<p>${text}</p>`,
  })
