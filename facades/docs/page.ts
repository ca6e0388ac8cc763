import { type Content, html, type Markup } from '../../routers/api/html.ts'
import { mainSitePage } from '../http/page/main-site.ts'
import { mainSiteStyle } from '../http/page/style.ts'
import { pagePolicy } from '../http/policy.ts'

/** An entry of the table of contents, with its subentries. */
export interface Chapter {
  href: string
  title: Content
  below?: Chapter[]
}

const style = mainSiteStyle(...['style.css', 'reference.css'].map(name => new URL(name, import.meta.url)))

/** Returns the headers of the reference. Its pages run no scripts and load only the logo and the typeface. */
export const pageHeaders = (base: string) => ({
  'Content-Security-Policy': pagePolicy(style(base)),
  'Referrer-Policy': 'no-referrer',
})

/** Returns a page of the reference, with the table of contents beside it. */
export const page = ({
  base,
  title,
  description,
  contents,
  main,
}: {
  /** The base path of the main site. */
  base: string
  title: string
  description: string
  contents: Chapter[]
  main: Markup
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
    main,
  })

const chapterList = (chapters: Chapter[]): Markup =>
  html`<ul>${chapters.map(
    ({ href, title, below }) =>
      html`<li><a href="${href}">${title}</a>${below && below.length > 0 && chapterList(below)}</li>`,
  )}</ul>`
