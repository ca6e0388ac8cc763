import type { Markup } from '../../../routers/api/html.ts'
import { mainSitePage } from '../../http/page/main-site.ts'
import { mainSiteStyle } from '../../http/page/style.ts'

/** The style of the public pages. */
export const publicStyle = mainSiteStyle(
  new URL('public.css', import.meta.url),
  new URL('front.css', import.meta.url),
)

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
}): string => mainSitePage({ ...page, style: publicStyle })
