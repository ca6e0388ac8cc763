import type { Addresses } from '../../../routers/api/addresses.ts'
import type { Content } from '../../../routers/content/previews/snapshot.ts'
import { fileAddressReplacer } from '../../../routers/content/transfer/file-addresses.ts'
import type { LocalPage, LocalSite } from './read-site.ts'

const ID_FOLDER = /^files\/([2-9a-z]{16})\//

/** The content of a folder as the service reads it from the database. */
export class LocalContent {
  readonly site: LocalSite
  readonly #idOf: (path: string) => string
  /** Replaces the addresses of files whose ids the folder has, as an import does. */
  readonly #replaced: (body: string) => string

  /** @param idOf returns the id of the item at a path */
  constructor(site: LocalSite, addresses: Addresses, idOf: (path: string) => string) {
    this.site = site
    this.#idOf = idOf
    const ids = site.files.flatMap(({ path }) => {
      const id = ID_FOLDER.exec(path)?.[1]
      return id === undefined ? [] : [[id, idOf(path)] as const]
    })
    this.#replaced =
      site.filesDomain === null || ids.length === 0
        ? body => body
        : fileAddressReplacer({ from: site.filesDomain, ids: new Map(ids), to: addresses })
  }

  /** The body of a page. */
  bodyOf({ body }: LocalPage): string {
    return this.#replaced(body)
  }

  /** Everything that templates can use, and one page. */
  at(revision: string, page?: LocalPage): Content {
    const { name, subdomain, pages, parts, records, files } = this.site
    return {
      name,
      subdomain,
      main_host: null,
      revision,
      page: page ? { slug: page.name, html: this.bodyOf(page) } : null,
      pages: pages.map(({ name }) => name),
      files: files.map(({ path, name, contentType, size }) => ({
        id: this.#idOf(path),
        name,
        content_type: contentType,
        size,
      })),
      data: records.map(({ name, body }) => ({ key: name, value: this.#replaced(body) })),
      parts: parts.map(({ name, body }) => ({ name, html: this.#replaced(body) })),
    }
  }
}
