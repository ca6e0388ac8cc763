import { xml } from '../../routers/api/html.ts'
import type { Site } from '../../routers/delivery/find-page.ts'
import type { ListedPage } from '../../routers/delivery/list-pages.ts'
import { joinInSlices } from '../http/json-in-slices.ts'
import { canonicalOf } from './canonical.ts'

/**
 * Maximum number of pages in one site map. The protocol allows 50,000 URLs; a smaller map bounds the memory of a
 * response.
 */
export const SITE_MAP_LENGTH = 10_000

const DECLARATION = '<?xml version="1.0" encoding="utf-8"?>'
const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'

/**
 * A site map for search engines.
 *
 * @param hasLists whether it starts with the addresses of the site's lists; true for the first site map
 * @param hasHomePage whether the address of the site shows a page, which is then listed like any other
 */
export const siteMap = async (
  site: Site,
  pages: readonly ListedPage[],
  hasLists: boolean,
  hasHomePage: boolean,
): Promise<string> => {
  const lists = xml`${hasHomePage ? null : xml`<url><loc>${site.url}/</loc></url>\n`}<url><loc>${site.url}/articles</loc></url>
`
  const urls = await joinInSlices(
    pages,
    page =>
      xml`<url><loc>${canonicalOf(site, page)}</loc><lastmod>${page.updatedAt.toISOString()}</lastmod></url>\n`
        .text,
  )
  return `${DECLARATION}
<urlset ${NAMESPACE}>
${hasLists ? lists.text : ''}${urls}</urlset>
`
}

/** The index of a site that needs several site maps: `/sitemap-1.xml` and so on. */
export const siteMapIndex = (site: Site, count: number): string => {
  const maps = Array.from(
    { length: count },
    (_, index) => xml`<sitemap><loc>${site.url}/sitemap-${index + 1}.xml</loc></sitemap>\n`.text,
  )
  return `${DECLARATION}
<sitemapindex ${NAMESPACE}>
${maps.join('')}</sitemapindex>
`
}

/** Allows everything: sites are public. */
export const robots = (site: Site): string => `User-agent: *
Allow: /
Sitemap: ${site.url}/sitemap.xml
`
