import { type Content, html, Markup } from '../../routers/api/html.ts'
import { inlineScript } from '../http/page/inline-script.ts'
import { mainSitePage } from '../http/page/main-site.ts'
import { mainSiteStyle } from '../http/page/main-site-style.ts'
import { pagePolicy } from '../http/policy.ts'
import { LANGUAGES } from './samples.ts'
import type { Found } from './search-index.ts'

/** An entry of the table of contents, with its subentries. */
export interface Chapter {
  href: string
  title: Content
  below?: Chapter[]
}

const style = mainSiteStyle(
  ...['style.css', 'reference.css', 'interactive.css'].map(name => new URL(name, import.meta.url)),
)

const script = inlineScript(new URL('reference.js', import.meta.url))

/**
 * Returns the headers of the reference. Its pages run only their own script, which may call the APIs, and load only the
 * logo and the typeface.
 */
export const pageHeaders = (base: string) => ({
  'Content-Security-Policy': pagePolicy(style(base), {
    'script-src': script.source,
    'connect-src': "'self'",
  }),
  'Referrer-Policy': 'no-referrer',
})

/** Returns a page of the reference, with the table of contents beside it. */
export const page = ({
  base,
  title,
  description,
  contents,
  main,
  index,
}: {
  /** The base path of the main site. */
  base: string
  title: string
  description: string
  contents: Chapter[]
  main: Markup
  /** What a search in the page finds. */
  index: readonly Found[]
}): string =>
  mainSitePage({
    base,
    section: '/docs',
    title: `${title} · Space Site`,
    style,
    head: html`<meta name="description" content="${description}">`,
    look: 'reference',
    // Focusable, so that it can be scrolled with the keyboard.
    aside: html`<nav class="sidebar" aria-label="Reference" tabindex="0">
<details class="contents"><summary>Contents</summary>
${chapterList(contents)}
</details>
</nav>`,
    main: html`${search}${main}
<script type="application/json" id="search-index">${new Markup(JSON.stringify(index).replaceAll('<', String.raw`\u003c`))}</script>
<script data-base="${base}" data-languages="${JSON.stringify(LANGUAGES)}">${script.code}</script>`,
  })

/** The field that the script shows. Works from the page itself, without further requests. */
const search = html`<search id="search" class="search" hidden>
<label for="search-text">Search the reference</label>
<input type="search" id="search-text" role="combobox" aria-expanded="false" aria-controls="search-results" aria-autocomplete="list" autocomplete="off" spellcheck="false" placeholder="Operations, fields, errors … ( / )">
<ul id="search-results" class="results" role="listbox" aria-label="Results" hidden></ul>
</search>`

const chapterList = (chapters: Chapter[]): Markup =>
  html`<ul>${chapters.map(
    ({ href, title, below }) =>
      html`<li><a href="${href}">${title}</a>${below && below.length > 0 && chapterList(below)}</li>`,
  )}</ul>`
