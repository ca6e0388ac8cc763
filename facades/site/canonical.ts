import type { FoundPage, Site } from '../../routers/delivery/find-page.ts'

/** The slug of the home page, which is also at the address of the site itself. */
export const START = 'index'

/** The address under which search engines should list a page. */
export const canonicalOf = ({ url }: Pick<Site, 'url'>, page: Pick<FoundPage, 'slug' | 'url'>): string =>
  page.slug === START ? `${url}/` : page.url
