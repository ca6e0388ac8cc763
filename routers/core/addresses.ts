/** Where the service is reachable from outside. Domains may carry a port (`sites.localhost:3000`). */
export interface Doors {
  /** Scheme, host and port of the main door, without a trailing slash. */
  apiRoot: string
  /** Scheme of the content domains. */
  scheme: 'http' | 'https'
  siteDomain: string
  pagesDomain: string
  filesDomain: string
  postsDomain: string
  /** Address of the reference, to which `#error-<code>` is added. */
  docsUrl: string
}

/** Every address that the service hands out, made in one place. */
export const addresses = (doors: Doors) => {
  const site = (subdomain: string) => `${doors.scheme}://${subdomain}.${doors.siteDomain}`
  return {
    ...doors,
    /** The site's root, as `space.url`. */
    site,
    /** A page on its site. */
    page: (subdomain: string, slug: string) => `${site(subdomain)}/${slug}`,
    /** The origin that a scripted page runs on. */
    pageOrigin: (id: string) => `${doors.scheme}://${id}.${doors.pagesDomain}`,
    /** An origin for drafts. No page's id holds a hyphen, so it is none of theirs. */
    preview: (label: string) => `${doors.scheme}://preview-${label}.${doors.pagesDomain}`,
    file: (id: string) => `${doors.scheme}://${id}.${doors.filesDomain}`,
    post: (id: string) => `${doors.scheme}://${id}.${doors.postsDomain}`,
    /** A post among others of the service, with its comments. */
    postPage: (id: string) => `${doors.apiRoot}/posts/${id}`,
    profile: (handle: string) => `${doors.apiRoot}/@${handle}`,
    /** An icon never changes under its address: setting another makes another id. */
    icon: (id: string) => `${doors.apiRoot}/_icons/${id}.png`,
  }
}

export type Addresses = ReturnType<typeof addresses>
