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

/** Builds every public address of the service. */
export const addresses = (domains: PublicDomains) => {
  const site = (subdomain: string) => `${domains.scheme}://${subdomain}.${domains.siteDomain}`
  return {
    ...domains,
    /** The root of a site, as in `space.url`. */
    site,
    /** A page on its site. */
    page: (subdomain: string, slug: string) => `${site(subdomain)}/${slug}`,
    /** The origin of a scripted page. */
    pageOrigin: (id: string) => `${domains.scheme}://${id}.${domains.pagesDomain}`,
    /** The origin of a preview. Page ids contain no hyphen, so it never collides with the origin of a page. */
    preview: (label: string) => `${domains.scheme}://preview-${label}.${domains.pagesDomain}`,
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
