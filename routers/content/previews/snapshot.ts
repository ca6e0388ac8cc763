import type { readSpaceContent } from '../../../db/queries/delivery.ts'
import type { Addresses } from '../../api/addresses.ts'
import type { SiteSnapshot } from '../../api/renderer.ts'

/** A space's content at one revision, with one page's body. */
export type Content = NonNullable<Awaited<ReturnType<typeof readSpaceContent>>>

/** The data that a space's templates can read (contract: "Template evaluation"). */
export const snapshotOf = (
  addresses: Pick<Addresses, 'site' | 'mainSite' | 'mainPage' | 'file'>,
  content: Content,
): SiteSnapshot => {
  const { name, subdomain } = content
  return {
    space: { name, subdomain, url: addresses.mainSite(content) },
    ...(content.main_host === null ? {} : { otherUrl: addresses.site(subdomain) }),
    pages: content.pages.map(slug => ({ slug, url: addresses.mainPage(content, slug) })),
    files: content.files.map(({ id, name, content_type, size }) => ({
      name,
      contentType: content_type,
      size,
      url: addresses.file(id),
    })),
    data: Object.fromEntries(content.data.map(({ key, value }) => [key, value])),
    parts: content.parts,
  }
}
