import { html, htmlDocument, type Markup } from '../../../routers/api/html.ts'
import type { Site } from '../../../routers/delivery/find-page.ts'
import { type Style, styleOf } from '../../http/page/style.ts'

/** The style sheet of documents that the service writes for a site's visitors. */
export const SITE_CSS = new URL('site.css', import.meta.url)

const siteStyle = styleOf(SITE_CSS)

interface Shell {
  /** The language of the document; English by default. */
  lang?: string
  title: string
  style?: Style
  /** Further elements for the head. */
  head?: Markup
  /** `notice` centers the document in the window. `notice late` also hides it for a moment at first. */
  look?: 'notice' | 'notice late'
  main: Markup
}

/** A document in the style of the service, but without its navigation, because it appears on people's own sites. */
export const shell = ({ main, style = siteStyle, lang = 'en', ...page }: Shell): string =>
  htmlDocument({
    lang,
    ...page,
    style: style.element,
    body: html`<main>
${main}
</main>`,
  })

/** The address of a site's icon on the site itself. It changes with the icon. */
export const iconPath = (iconId: string): string => `/favicon.ico?v=${iconId}`

/** The `link` to a site's icon; null when it has none. */
export const iconLink = (site: Site): Markup | null =>
  site.iconId ? html`<link rel="icon" type="image/png" href="${iconPath(site.iconId)}">` : null

/** The title of a page that declares none: `weekly-todo` becomes "Weekly todo". */
export const titleOf = (slug: string): string => {
  const words = slug.replace(/-+/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
