/** Public addresses of the service. Domains can include a port (`sites.localhost:3000`). */
interface PublicDomains {
  /** Address of the main site, without a trailing slash. */
  apiRoot: string
  /** Scheme of the content domains. */
  scheme: 'http' | 'https'
  siteDomain: string
  pagesDomain: string
  filesDomain: string
  postsDomain: string
  /** Address of the API reference; `#error-<code>` is appended to it. */
  docsUrl: string
}

/** The names of a site. */
interface SiteNames {
  subdomain: string
  /** The domain of the site's main address; null for its subdomain. */
  main_host: string | null
}

/** Builds every public address of the service. */
export const addresses = (domains: PublicDomains) => {
  const site = (subdomain: string) => `${domains.scheme}://${subdomain}.${domains.siteDomain}`
  const port = /:\d+$/.exec(domains.siteDomain)?.[0] ?? ''
  const host = (name: string) => `${domains.scheme}://${name}${port}`
  const mainSite = ({ subdomain, main_host }: SiteNames) =>
    main_host === null ? site(subdomain) : host(main_host)
  return {
    ...domains,
    /** The root of a site at its subdomain, as in the APIs. */
    site,
    /** A page on its site, at the site's subdomain. */
    page: (subdomain: string, slug: string) => `${site(subdomain)}/${slug}`,
    /** The root of a domain of a space's own. */
    host,
    /** The root of a site at its main address, as in `space.url` in templates. */
    mainSite,
    /** A page on its site, at the site's main address. */
    mainPage: (names: SiteNames, slug: string) => `${mainSite(names)}/${slug}`,
    /** The origin of a scripted page. */
    pageOrigin: (id: string) => `${domains.scheme}://${id}.${domains.pagesDomain}`,
    /** The origin of a preview. Page ids contain no hyphen, so it never collides with the origin of a page. */
    preview: (label: string) => `${domains.scheme}://preview-${label}.${domains.pagesDomain}`,
    /** A link with which anyone can see a draft, on an origin of its own. */
    previewLink: (id: string, token: string) =>
      `${domains.scheme}://draft-${id}.${domains.pagesDomain}/${token}`,
    file: (id: string) => `${domains.scheme}://${id}.${domains.filesDomain}`,
    post: (id: string) => `${domains.scheme}://${id}.${domains.postsDomain}`,
    /** The editor of a page in the dashboard. */
    pageEditor: (subdomain: string, id: string) => `${domains.apiRoot}/admin/spaces/${subdomain}/pages/${id}`,
    /** A post on the main site, with its comments. */
    postPage: (id: string) => `${domains.apiRoot}/posts/${id}`,
    profile: (handle: string) => `${domains.apiRoot}/@${handle}`,
    /** The address of an upload link. */
    upload: (token: string) => `${domains.apiRoot}/uploads/${token}`,
    /** The image at an icon's URL never changes; a new icon gets a new id. */
    icon: (id: string) => `${domains.apiRoot}/_icons/${id}.png`,
  }
}

export type Addresses = ReturnType<typeof addresses>
