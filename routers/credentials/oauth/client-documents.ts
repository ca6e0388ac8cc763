import { LRUCache } from 'lru-cache'
import type { ClientDocuments, OauthClient } from '../../api/context.ts'
import { networkOf } from '../../api/rate-limit.ts'
import { displayName, readMetadata } from './client-metadata.ts'
import { OauthError } from './error.ts'

/** How long a document is cached, in ms. */
const TTL = 5 * 60_000
/** How long a failed fetch is cached, in ms. */
const FAILURE_TTL = 20_000
/** Maximum number of cached documents. */
const CAPACITY = 500

/** Maximum number of concurrent fetches, for one network (one address, or one IPv6 /64) and in total. */
export const MAX_FETCHES = { perNetwork: 4, total: 32 }
/** Seconds after which to retry when there are too many fetches. */
const RETRY = 5

/** Fetches JSON from an untrusted address. Rejects with an Error whose message completes "could not be read: …". */
export type FetchDocument = (url: URL) => Promise<unknown>

/** Whether a client id is the address of a metadata document: https, with a path, in normalized form. */
export const isDocumentId = (id: string): boolean => {
  if (!id.startsWith('https://') || id.length > 2048 || !URL.canParse(id)) return false
  const url = new URL(id)
  return (
    url.href === id && url.pathname !== '/' && !id.includes('#') && url.username === '' && url.password === ''
  )
}

/** Reads client metadata documents, with a cache that concurrent requests share. */
export const clientDocuments = (fetchDocument: FetchDocument): ClientDocuments => {
  const cache = new LRUCache<string, Promise<OauthClient>>({ max: CAPACITY, ttl: TTL })

  const fetches = new ConcurrentFetches()

  const read = async (id: string, address: string): Promise<OauthClient> => {
    const cached = cache.get(id)
    if (cached) return cached
    const client = fetches.run(networkOf(address).narrow, () => load(fetchDocument, id))
    cache.set(id, client)
    client.catch(() => {
      if (cache.peek(id) === client) cache.set(id, client, { ttl: FAILURE_TTL })
    })
    return client
  }

  return { read, has: id => cache.has(id) }
}

/** Limits concurrent fetches, so that slow hosts named by one caller do not delay other callers. */
class ConcurrentFetches {
  #total = 0
  readonly #byNetwork = new Map<string, number>()

  /**
   * Runs a fetch, unless too many are in progress.
   *
   * @throws OauthError `temporarily_unavailable` at once if too many are in progress
   */
  run<T>(network: string, fetch: () => Promise<T>): Promise<T> {
    const own = this.#byNetwork.get(network) ?? 0
    if (own >= MAX_FETCHES.perNetwork || this.#total >= MAX_FETCHES.total)
      throw new OauthError(
        'temporarily_unavailable',
        `Too many apps are being looked up; wait ${RETRY} s`,
        RETRY,
      )
    this.#total += 1
    this.#byNetwork.set(network, own + 1)
    return fetch().finally(() => {
      this.#total -= 1
      const left = this.#byNetwork.get(network)! - 1
      if (left === 0) this.#byNetwork.delete(network)
      else this.#byNetwork.set(network, left)
    })
  }
}

const load = async (fetchDocument: FetchDocument, id: string): Promise<OauthClient> => {
  let document: unknown
  try {
    document = await fetchDocument(new URL(id))
  } catch (error) {
    throw refused(`could not be read: ${error instanceof Error ? error.message : String(error)}`)
  }
  if (typeof document !== 'object' || document === null) throw refused('is not a JSON object')
  if (!('client_id' in document) || document.client_id !== id)
    throw refused('needs a client_id that is the address of the document')
  if ('client_secret' in document) throw refused('contains a secret')
  const { redirect_uris, client_name, token_endpoint_auth_method = 'none' } = metadata(document)
  if (token_endpoint_auth_method !== 'none')
    throw refused('has a token_endpoint_auth_method other than "none"')
  return { id, name: displayName(client_name), redirectUris: redirect_uris, host: new URL(id).host }
}

const metadata = (document: object) => {
  try {
    return readMetadata(document)
  } catch (error) {
    throw refused(`is not valid: ${error instanceof Error ? error.message : String(error)}`)
  }
}

const refused = (reason: string) =>
  new OauthError('invalid_client', `The metadata document of the app ${reason}`)
