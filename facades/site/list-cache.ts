import { LRUCache } from 'lru-cache'
import type { Site } from '../../routers/delivery/find-page.ts'

/** Maximum total size of the cached lists, in bytes. */
const MEMORY = 16 * 1_048_576

/** How long a list is kept that could not be completed in time, in ms. */
const PARTIAL_MS = 5_000

/** Creates a list. Returns null if the site does not have it. It calls `notComplete` if the list lacks something. */
type Build = (notComplete: () => void) => Promise<string | null>

/** Caches the lists of sites by revision. Concurrent requests for a list build it only once. */
export class ListCache {
  readonly #lists = new LRUCache<string, Buffer, Build>({
    maxSize: MEMORY,
    sizeCalculation: list => list.length,
    fetchMethod: async (_key, _stale, { context: build, options }) => {
      const text = await build(() => {
        options.ttl = PARTIAL_MS
      })
      return text === null ? undefined : Buffer.from(text)
    },
  })

  /**
   * Returns a list of a site as bytes, or null when there is none.
   *
   * @param name name of the list, unique on its site
   */
  async get(site: Site, name: string, build: Build): Promise<Buffer | null> {
    return (await this.#lists.fetch(`${site.id} ${site.revision} ${name}`, { context: build })) ?? null
  }
}
