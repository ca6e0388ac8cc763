import { createHash, createHmac, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Addresses } from '../../../routers/api/addresses.ts'
import type { Sites } from '../../../routers/api/sites.ts'
import { LocalContent } from '../local/content.ts'
import type { LocalFile, LocalPage, LocalSite } from '../local/read-site.ts'

/** The name of the host at which a site is served, as the domain of its main address. */
export const MAIN_HOST = 'localhost'

type Row<Query extends keyof Sites> = ReturnType<Sites[Query]>

/** Answers the queries of the delivery from a folder. */
export class FolderSites implements Sites {
  readonly #root: string
  readonly #addresses: Addresses
  /** Called when a file is no longer as it was when the folder was read. */
  readonly #onStale: () => Promise<void>
  /** Random, because other websites can read a file whose address they can guess. */
  readonly #secret = randomBytes(16)
  readonly #ids = new Map<string, string>()
  readonly #digests = new Map<string, { size: number; changedAt: number; digest: Buffer }>()
  readonly #startedAt = new Date()
  #revision = ''
  #content!: LocalContent
  #slugs = new Map<string, LocalPage>()
  #pages = new Map<string, LocalPage>()
  #files = new Map<string, LocalFile>()

  constructor(root: string, addresses: Addresses, onStale: () => Promise<void>) {
    this.#root = root
    this.#addresses = addresses
    this.#onStale = onStale
  }

  /** Delivers another state of the folder. */
  show(site: LocalSite, revision: string): void {
    this.#revision = revision
    this.#content = new LocalContent(site, this.#addresses, this.#idOf)
    this.#slugs = new Map(site.pages.map(page => [page.name, page]))
    this.#pages = new Map(site.pages.map(page => [this.#idOf(page.path), page]))
    this.#files = new Map(site.files.map(file => [this.#idOf(file.path), file]))
  }

  /** The id of the item at a path. It is the same as long as the program runs. */
  readonly #idOf = (item: string): string => {
    const known = this.#ids.get(item)
    if (known !== undefined) return known
    const id = createHmac('sha256', this.#secret)
      .update(item)
      .digest('hex')
      .slice(0, 16)
      // Ids have no 0 and no 1.
      .replaceAll('0', 'y')
      .replaceAll('1', 'z')
    this.#ids.set(item, id)
    return id
  }

  get #spaceId(): string {
    return this.#idOf('')
  }

  get #site() {
    const { subdomain, name } = this.#content.site
    return {
      space_id: this.#spaceId,
      subdomain,
      main_host: MAIN_HOST,
      name,
      created_at: this.#startedAt,
      revision: this.#revision,
    }
  }

  async findSiteId(subdomain: string): Row<'findSiteId'> {
    return subdomain === this.#content.site.subdomain ? { id: this.#spaceId, account_id: null } : undefined
  }

  async findSitePage(_spaceId: string, slug: string): Row<'findSitePage'> {
    const page = this.#slugs.get(slug)
    return page
      ? { ...this.#site, page_id: this.#idOf(page.path), slug, kind: page.kind }
      : { ...this.#site, page_id: null, slug: null, kind: null }
  }

  async findSiteIconId(): Row<'findSiteIconId'> {
    const { icon } = this.#content.site
    // Each icon has an id of its own, because browsers keep icons.
    return icon ? { id: this.#idOf(`${icon.path} ${icon.changedAt.getTime()}`) } : undefined
  }

  async findIcon(): Row<'findIcon'> {
    const { icon } = this.#content.site
    const png = icon && (await readFile(path.join(this.#root, icon.file)).catch(() => null))
    return png ? { png } : undefined
  }

  async findRevision(): Row<'findRevision'> {
    return this.#revision
  }

  async findDeliveredPage(_spaceId: string, pageId: string): Row<'findDeliveredPage'> {
    const page = this.#pages.get(pageId)
    return page && { ...this.#site, page_id: pageId, slug: page.name, kind: page.kind }
  }

  async readPageBody({ page_id, revision }: Parameters<Sites['readPageBody']>[0]): Row<'readPageBody'> {
    const page = this.#pages.get(page_id)
    return page && revision === this.#revision ? this.#content.bodyOf(page) : undefined
  }

  async readSpaceContent(_spaceId: string, pageId: string): Row<'readSpaceContent'> {
    return { ...this.#content.at(this.#revision, this.#pages.get(pageId)), main_host: MAIN_HOST }
  }

  async findSharedContentVersion(): Row<'findSharedContentVersion'> {
    return [this.#content.site.parts, this.#content.site.records]
      .map(texts => `${texts.length} ${Math.max(0, ...texts.map(({ changedAt }) => changedAt.getTime()))}`)
      .join(' ')
  }

  async listSitePages(
    _spaceId: string,
    { order, offset, limit }: Parameters<Sites['listSitePages']>[1],
  ): Row<'listSitePages'> {
    const { pages } = this.#content.site
    const sorted =
      order === 'slug'
        ? pages
        : pages.toSorted((one, other) => other.createdAt.getTime() - one.createdAt.getTime())
    return sorted.slice(offset, offset + limit).map(page => ({
      id: this.#idOf(page.path),
      slug: page.name,
      kind: page.kind,
      created_at: page.createdAt,
      updated_at: page.changedAt,
    }))
  }

  async countSitePages(): Row<'countSitePages'> {
    return this.#slugs.size
  }

  async findOrigin(kind: 'page' | 'file', id: string): Row<'findOrigin'> {
    const exists = kind === 'page' ? this.#pages.has(id) : this.#files.has(id)
    return exists ? { space_id: this.#spaceId, account_id: null } : undefined
  }

  async findDeliveredFile(_spaceId: string, fileId: string): Row<'findDeliveredFile'> {
    const file = await this.#currentFile(fileId)
    const digest = file && (await this.#digestOf(file).catch(() => undefined))
    return file && digest
      ? {
          space_id: this.#spaceId,
          id: fileId,
          name: file.name,
          content_type: file.contentType,
          size: file.size,
          digest,
          created_at: file.createdAt,
          updated_at: file.changedAt,
        }
      : undefined
  }

  async readFileBytes(
    { id, digest }: Parameters<Sites['readFileBytes']>[0],
    from: number,
    length: number,
  ): Row<'readFileBytes'> {
    const file = await this.#currentFile(id)
    if (!file || !(await this.#digestOf(file)).equals(digest)) return undefined
    const handle = await open(path.join(this.#root, file.file))
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, from)
      return buffer.subarray(0, bytesRead)
    } finally {
      await handle.close()
    }
  }

  /** Returns a file as it is on the disk now. */
  async #currentFile(id: string): Promise<LocalFile | undefined> {
    const file = this.#files.get(id)
    const state = file && (await stat(path.join(this.#root, file.file)).catch(() => undefined))
    const isCurrent = file?.size === state?.size && file?.changedAt.getTime() === state?.mtime.getTime()
    if (!isCurrent) await this.#onStale()
    return this.#files.get(id)
  }

  async #digestOf({ file, size, changedAt }: LocalFile): Promise<Buffer> {
    const known = this.#digests.get(file)
    if (known?.size === size && known.changedAt === changedAt.getTime()) return known.digest
    const hash = createHash('sha256')
    for await (const piece of createReadStream(path.join(this.#root, file))) hash.update(piece as Buffer)
    const digest = hash.digest()
    this.#digests.set(file, { size, changedAt: changedAt.getTime(), digest })
    return digest
  }
}
