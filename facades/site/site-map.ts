import { xml } from '../../routers/core/html.ts'
import type { Site } from '../../routers/delivery/find-page.ts'
import type { ListedPage } from '../../routers/delivery/list-pages.ts'

/** Maximum number of pages: a site map holds 50,000 URLs (sitemaps.org), two of which are the lists. */
export const SITE_MAP_LENGTH = 50_000 - 2

/** The site map for search engines. */
export const siteMap = (site: Site, pages: readonly ListedPage[]): string =>
  xml`<?xml version="1.0" encoding="utf-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc>${site.url}/</loc></url>
<url><loc>${site.url}/articles</loc></url>
${pages.map(page => xml`<url><loc>${page.url}</loc><lastmod>${page.updatedAt.toISOString()}</lastmod></url>\n`)}</urlset>
`.text

/** Allows everything: sites are public. */
export const robots = (site: Site): string => `User-agent: *
Allow: /
Sitemap: ${site.url}/sitemap.xml
`
