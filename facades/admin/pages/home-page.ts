/** Whether the page with this slug is the home page. */
export const isHomePage = (slug: string): boolean => slug === 'index'

/** The address at which visitors open a page. The home page is shown at the root of the site. */
export const visitorUrl = (siteUrl: string, { slug, url }: { slug: string; url: string }): string =>
  isHomePage(slug) ? `${siteUrl}/` : url
