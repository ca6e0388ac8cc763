import { readFileSync } from 'node:fs'
import { html, htmlDocument, Markup } from '../../../routers/api/html.ts'
import type { MainSiteStyle } from './main-site-style.ts'
import { mainFontUrl } from './typeface.ts'

/** The logo, which is also the favicon. */
export const logoSvg = readFileSync(new URL('logo.svg', import.meta.url), 'utf8')

const logo = new Markup(
  logoSvg.replace('<svg ', '<svg class="logo" aria-hidden="true" ').replace(/<title>.*<\/title>/, ''),
)

/** The header's links, relative to the base path. */
const LINKS = [
  ['/', 'Home'],
  ['/following', 'Following'],
  ['/admin/new-post', 'Write'],
  ['/admin/notifications', 'Notifications'],
  ['/docs', 'Docs'],
  ['/mcp', 'Agents'],
  ['/admin', 'Dashboard'],
  ['/admin/account', 'Account'],
] as const

/** The links that only signed-in people see. */
const PERSONAL: ReadonlySet<string> = new Set([
  '/following',
  '/admin/new-post',
  '/admin/notifications',
  '/admin/account',
])

export interface MainSitePage {
  /** The base path of the main site (`basePath`). */
  base: string
  /** The path of the header link that is marked as current; undefined if no link is marked. */
  section?: (typeof LINKS)[number][0]
  title: string
  /** Whether the page is for a signed-in person; false by default. */
  isPersonal?: boolean
  style: MainSiteStyle
  head?: Markup | null
  look?: string
  /** Whether the header has links; true by default. Pages that ask for a decision set it to false. */
  hasNavigation?: boolean
  /** Content beside the main part, such as the reference's table of contents. */
  aside?: Markup
  main: Markup
}

const linkedHeader = (base: string, section: MainSitePage['section'], isPersonal: boolean): Markup =>
  html`<a class="skip" href="#main">Skip to content</a>
<header class="top">
<a class="brand" href="${base}/">${logo}Space Site</a>
<nav aria-label="Space Site">${LINKS.filter(([path]) => isPersonal || !PERSONAL.has(path)).map(
    ([path, name]) =>
      html`<a href="${base}${path}"${path === section ? html` aria-current="page"` : null}>${name}</a>\n`,
  )}</nav>
</header>`

/** A page of the main site: header with logo and navigation, then the page's own content. */
export const mainSitePage = ({
  base,
  section,
  title,
  isPersonal = false,
  style,
  head,
  look,
  hasNavigation = true,
  aside,
  main,
}: MainSitePage): string =>
  htmlDocument({
    lang: 'en',
    title,
    style: style(base).element,
    head: html`<link rel="icon" href="${base}/favicon.svg" type="image/svg+xml">
<link rel="preload" href="${mainFontUrl(base)}" as="font" type="font/woff2" crossorigin>
${head ?? null}`,
    ...(look === undefined ? {} : { look }),
    body: html`${hasNavigation ? linkedHeader(base, section, isPersonal) : html`<header class="top"><span class="brand">${logo}Space Site</span></header>`}
${aside ?? null}
<main id="main" tabindex="-1">
${main}
</main>`,
  })

/** Returns a decorative picture from `facades/shared/illustrations`, in the colors of the palette. */
export const illustration = (name: string): Markup =>
  html`<div class="illustration">${new Markup(readFileSync(new URL(`../../shared/illustrations/${name}.svg`, import.meta.url), 'utf8'))}</div>`
