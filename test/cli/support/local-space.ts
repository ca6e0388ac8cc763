import { type Settings, sha256 } from '../../../facades/cli/folder/content.ts'
import {
  ChangedMeanwhile,
  type Listing,
  type Push,
  type Pushed,
  type RemoteItem,
  type Space,
} from '../../../facades/cli/service/space.ts'

/** A space in memory that follows the protocol of the service, so that the rules of the folder can be tried often. */
export class LocalSpace implements Space {
  readonly items = new Map<string, { bytes: Buffer; settings: Settings }>()

  /** Changes an item as someone in the dashboard does; null deletes it. */
  set(path: string, text: string | Buffer | null, settings?: Settings): void {
    if (text === null) return void this.items.delete(path)
    const kept = this.items.get(path)?.settings ?? defaults(path)
    this.items.set(path, {
      bytes: stored(path, Buffer.from(text as string)),
      settings: { ...kept, ...settings },
    })
  }

  text(path: string): string | undefined {
    return this.items.get(path)?.bytes.toString()
  }

  async list(): Promise<Listing> {
    const items = [...this.items.keys()].map(path => this.#item(path))
    return {
      subdomain: 'garden',
      name: 'Garden',
      address: 'https://garden.example/',
      files_domain: 'files.example',
      items,
    }
  }

  async read(paths: readonly string[]): Promise<Map<string, Uint8Array>> {
    return new Map(
      paths.flatMap(path => (this.items.has(path) ? [[path, this.items.get(path)!.bytes] as const] : [])),
    )
  }

  async write({ contents, settings, changes }: Push): Promise<Pushed> {
    const stale = Object.entries(changes).filter(
      ([path, version]) => (this.items.has(path) ? this.#item(path).version : null) !== version,
    )
    if (stale.length > 0) throw new ChangedMeanwhile(stale.map(([path]) => path))
    for (const path of Object.keys(changes)) {
      const bytes = contents.get(path)
      if (bytes)
        this.items.set(path, {
          bytes: stored(path, bytes),
          settings: { ...defaults(path), ...settings.get(path) },
        })
      else this.items.delete(path)
    }
    return { operation: 'k3v9x2m7q4t8w5z6', items: [...contents.keys()].map(path => this.#item(path)) }
  }

  #item(path: string): RemoteItem {
    const { bytes, settings } = this.items.get(path)!
    const digest = sha256(bytes)
    return { path, version: sha256(digest + JSON.stringify(settings)), digest, settings }
  }
}

const defaults = (path: string): Settings => {
  if (path.startsWith('pages/')) return { kind: 'scripted' }
  return path.startsWith('data/') ? { description: null } : {}
}

/** As the service does, removes white space around templates, and stores JSON without white space. */
const stored = (path: string, bytes: Uint8Array): Buffer => {
  const text = Buffer.from(bytes).toString()
  if (path.startsWith('files/')) return Buffer.from(bytes)
  return Buffer.from(path.startsWith('data/') ? JSON.stringify(JSON.parse(text)) : text.trim())
}
