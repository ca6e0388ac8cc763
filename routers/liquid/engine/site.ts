import { hash } from 'node:crypto'
import type { SiteSnapshot } from '../../core/renderer.ts'

/** A part as a child holds it. */
export interface Part {
  name: string
  html: string
  /** Key of its parsed body. */
  hash: string
}

/** Bodies that are kept track of; what is forgotten is sent again. */
const MOST_BODIES = 4096

/** One space at one revision, ready to be read by templates. */
export class Site {
  readonly space: string
  readonly revision: string
  /** Hashes of the pages whose parts were parsed at this revision. */
  readonly prepared = new Set<string>()
  /** Characters of the snapshot, which is what it costs to keep. */
  readonly weight: number
  private readonly snapshot: SiteSnapshot
  private readonly parts = new Map<string, { html: string; part?: Part }>()
  private readonly data: Record<string, unknown> = {}
  private readonly bodies = new Map<string, string>()

  /** @param text the snapshot as JSON */
  constructor(space: string, revision: string, text: string) {
    this.space = space
    this.revision = revision
    this.weight = text.length
    this.snapshot = JSON.parse(text)
    for (const { name, html } of this.snapshot.parts) this.parts.set(name, { html })
    for (const [key, json] of Object.entries(this.snapshot.data)) offer(this.data, key, json)
  }

  /** Takes note of a page's body. @returns the key of what is parsed from it */
  addBody(pageId: string, html: string): string {
    const key = hash('sha256', html, 'base64')
    // Drafts are bodies too, and of one revision there can be any number.
    if (this.bodies.size >= MOST_BODIES) {
      this.bodies.clear()
      this.prepared.clear()
    }
    this.bodies.set(pageId, key)
    return key
  }

  /** The key of a page's body, or undefined when it was never here at this revision. */
  bodyOf(pageId: string): string | undefined {
    return this.bodies.get(pageId)
  }

  /** The part of that name, or undefined. Only then is it hashed. */
  part(name: string): Part | undefined {
    const entry = this.parts.get(name)
    if (entry) entry.part ??= { name, html: entry.html, hash: hash('sha256', entry.html, 'base64') }
    return entry?.part
  }

  /** The variables that a page sees (contract: template evaluation, variables). */
  variables(page: { slug: string; url: string }): object {
    const { space, pages, files } = this.snapshot
    const { slug, url } = page
    return Object.assign(Object.create(null), { space, page: { slug, url }, pages, files, data: this.data })
  }
}

/** Puts a record within reach; its JSON is only parsed when a template reads it. */
function offer(data: Record<string, unknown>, key: string, json: string): void {
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
