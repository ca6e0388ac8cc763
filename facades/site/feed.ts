import { xml } from '../../routers/api/html.ts'
import type { Site } from '../../routers/delivery/find-page.ts'
import { canonicalOf } from './canonical.ts'
import type { TitledPage } from './documents/lists.ts'
import { titleOf } from './documents/shell.ts'

/** Maximum number of pages in the feed. */
export const FEED_LENGTH = 50

/** The Atom feed of `/articles`, newest page first (RFC 4287). */
export const feed = (site: Site, pages: readonly TitledPage[], lang: string | null): string => {
  const updated = Math.max(site.createdAt.getTime(), ...pages.map(page => page.updatedAt.getTime()))
  return xml`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom"${lang === null ? null : xml` xml:lang="${lang}"`}>
<id>${tag(site, site.createdAt, 'articles')}</id>
<title>${site.name}</title>
<updated>${new Date(updated).toISOString()}</updated>
<author><name>${site.name}</name></author>
<link rel="self" type="application/atom+xml" href="${site.url}/articles.atom"/>
<link rel="alternate" type="text/html" href="${site.url}/articles"/>
${pages.map(
  page => xml`<entry>
<id>${tag(site, page.createdAt, page.id)}</id>
<title>${page.title ?? titleOf(page.slug)}</title>
<link rel="alternate" type="text/html" href="${canonicalOf(site, page)}"/>
<published>${page.createdAt.toISOString()}</published>
<updated>${page.updatedAt.toISOString()}</updated>
</entry>
`,
)}</feed>
`.text
}

/** The id of the feed or of an entry (RFC 4151). It stays the same when the address of a page or the site changes. */
const tag = (site: Site, since: Date, name: string): string =>
  `tag:${site.hostname},${since.toISOString().slice(0, 10)}:${name}`
