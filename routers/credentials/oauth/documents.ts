import type { ClientDocuments, OauthClient } from '../../core/context.ts'
import { readMetadata, shownName } from './client.ts'
import { OauthError } from './error.ts'

/** Milliseconds that a description is taken from memory, and that a failure is. */
const FRESH = 5 * 60_000
const FAILURE_FRESH = 20_000
/** Most descriptions in memory. */
const CAPACITY = 500

/** Reads the JSON at an address that a stranger named. Rejects with an Error whose message says why it could not. */
export type FetchDocument = (url: URL) => Promise<unknown>

/** Whether a client's id is the address of a description: https, with a path, written as a parser would write it. */
export const isDocumentId = (id: string): boolean => {
  if (!id.startsWith('https://') || id.length > 2048 || !URL.canParse(id)) return false
  const url = new URL(id)
  return (
    url.href === id && url.pathname !== '/' && !id.includes('#') && url.username === '' && url.password === ''
  )
}

export const clientDocuments = (fetchDocument: FetchDocument): ClientDocuments => {
  const known = new Map<string, { client: Promise<OauthClient>; until: number }>()

  const fresh = (id: string) => {
    const entry = known.get(id)
    return entry && entry.until > Date.now() ? entry : undefined
  }

  const read = (id: string): Promise<OauthClient> => {
    const entry = fresh(id)
    if (entry) return entry.client
    const made = { client: load(fetchDocument, id), until: Date.now() + FRESH }
    made.client.catch(() => {
      made.until = Date.now() + FAILURE_FRESH
    })
    known.delete(id)
    for (const oldest of known.keys()) {
      if (known.size < CAPACITY) break
      known.delete(oldest)
    }
    known.set(id, made)
    return made.client
  }

  return { read, has: id => fresh(id) !== undefined }
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
    throw refused('does not name its own address as client_id')
  if ('client_secret' in document) throw refused('holds a secret')
  const { redirect_uris, client_name, token_endpoint_auth_method = 'none' } = metadata(document)
  if (token_endpoint_auth_method !== 'none') throw refused('asks for another authentication than "none"')
  return { id, name: shownName(client_name), redirectUris: redirect_uris, host: new URL(id).host }
}

const metadata = (document: object) => {
  try {
    return readMetadata(document)
  } catch (error) {
    throw refused(`is not valid: ${error instanceof Error ? error.message : String(error)}`)
  }
}

const refused = (why: string) => new OauthError('invalid_client', `The client's metadata document ${why}`)
