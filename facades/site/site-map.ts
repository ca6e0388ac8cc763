import { xml } from '../../routers/core/html.ts'
import type { Site } from '../../routers/delivery/find-page.ts'
import type { ListedPage } from '../../routers/delivery/list-pages.ts'

/** Addresses that one site map may hold (sitemaps.org), less the site's own two. */
export const SITE_MAP_LENGTH = 50_000 - 2

/** Every page of a site for search engines. */
export const siteMap = (site: Site, pages: readonly ListedPage[]): string =>
  xml`<?xml version="1.0" encoding="utf-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc>${site.url}/</loc></url>
<url><loc>${site.url}/articles</loc></url>
${pages.map(page => xml`<url><loc>${page.url}</loc><lastmod>${page.updatedAt.toISOString()}</lastmod></url>\n`)}</urlset>
`.text

/** Everything on a site is public. */
export const robots = (site: Site): string => `User-agent: *
Allow: /
Sitemap: ${site.url}/sitemap.xml
`
