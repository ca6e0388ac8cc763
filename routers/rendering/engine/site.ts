import { hash } from 'node:crypto'
import type { SiteSnapshot } from '../../api/renderer.ts'

/** A part, as stored in a worker. */
export interface Part {
  name: string
  html: string
  /** Key of the part's syntax tree. */
  hash: string
}

/** Maximum number of page bodies remembered for each space; a forgotten body is sent again. */
const TRACKED_BODIES = 4096

/** One space at one revision, ready for templates to read. */
export class Site {
  readonly revision: string
  /** Hashes of the pages whose parts were parsed at this revision. */
  readonly prepared = new Set<string>()
  /** Length of the snapshot in characters, for limiting the cache. */
  readonly weight: number
  private readonly snapshot: SiteSnapshot
  private readonly parts = new Map<string, { html: string; part?: Part }>()
  private readonly data: Record<string, unknown> = {}
  private readonly bodies = new Map<string, string>()

  /** @param text the snapshot as JSON */
  constructor(revision: string, text: string) {
    this.revision = revision
    this.weight = text.length
    this.snapshot = JSON.parse(text)
    for (const { name, html } of this.snapshot.parts) this.parts.set(name, { html })
    for (const [key, json] of Object.entries(this.snapshot.data)) defineLazily(this.data, key, json)
  }

  /** Records the hash of a page's body. @returns the hash, which is the key of the body's syntax tree */
  addBody(pageId: string, html: string): string {
    const key = hash('sha256', html, 'base64')
    // Limit the number of bodies. Drafts have bodies too, and one revision can have any number of drafts.
    if (this.bodies.size >= TRACKED_BODIES) {
      this.bodies.clear()
      this.prepared.clear()
    }
    this.bodies.set(pageId, key)
    return key
  }

  /** Returns the key that `addBody` recorded for the body of a page; undefined if no key is recorded. */
  bodyOf(pageId: string): string | undefined {
    return this.bodies.get(pageId)
  }

  /** Returns the part with this name; undefined if there is none. Hashes the part on first use. */
  part(name: string): Part | undefined {
    const entry = this.parts.get(name)
    if (entry) entry.part ??= { name, html: entry.html, hash: hash('sha256', entry.html, 'base64') }
    return entry?.part
  }

  /** The names of all parts. */
  get partNames(): Iterable<string> {
    return this.parts.keys()
  }

  /** The keys of all records. */
  get dataKeys(): string[] {
    return Object.keys(this.snapshot.data)
  }

  /** The keys of all records, each with the value as JSON. */
  get records(): [key: string, json: string][] {
    return Object.entries(this.snapshot.data)
  }

  /** Returns the value of a record; undefined if there is none with this key. */
  record(key: string): unknown {
    return Object.hasOwn(this.data, key) ? this.data[key] : undefined
  }

  /** All records by key, as templates read them. */
  get values(): object {
    return this.data
  }

  /** The slugs of all pages. */
  get slugs(): string[] {
    return this.snapshot.pages.map(({ slug }) => slug)
  }

  /** All files, as templates read them. */
  get files(): readonly object[] {
    return this.snapshot.files
  }

  /** The names of all files. */
  get fileNames(): string[] {
    return this.snapshot.files.map(({ name }) => name)
  }

  /** The origins at which links lead to the site. */
  get origins(): Set<string> {
    const { space, otherUrl } = this.snapshot
    return new Set([space.url, ...(otherUrl === undefined ? [] : [otherUrl])].map(url => new URL(url).origin))
  }

  /** The variables of a page (contract: template evaluation, variables). */
  variables(page: { slug: string; url: string }): object {
    const { space, pages, files } = this.snapshot
    const { slug, url } = page
    return Object.assign(Object.create(null), { space, page: { slug, url }, pages, files, data: this.data })
  }
}

/** Defines a record whose JSON is parsed when a template first reads it. */
function defineLazily(data: Record<string, unknown>, key: string, json: string): void {
  Object.defineProperty(data, key, {
    enumerable: true,
    configurable: true,
    get() {
      const value: unknown = JSON.parse(json)
      Object.defineProperty(data, key, { enumerable: true, value })
      return value
    },
  })
}
