import { lookup } from 'node:dns/promises'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { isIP } from 'node:net'
import { MIMEType } from 'node:util'
import type { FetchDocument } from '../../routers/credentials/oauth/documents.ts'
import { isPublicAddress } from './public-address.ts'

/** Milliseconds and bytes that a document may take. */
const PATIENCE = 5_000
const MOST_BYTES = 65_536

/** What the network is like; for tests, which have no public addresses. */
interface Network {
  /** IP addresses of a host. */
  resolve: (host: string) => Promise<string[]>
  isAllowed: (address: string) => boolean
  /** Certificates that are trusted beside the usual ones. */
  ca?: string
  /** Milliseconds that a document may take. */
  patience?: number
}

const internet: Network = {
  resolve: async host => (await lookup(host, { all: true })).map(({ address }) => address),
  isAllowed: isPublicAddress,
}

/**
 * Reads small JSON documents at addresses that strangers name. The name is resolved here and the connection goes to
 * the address that was checked, so that a name which leads elsewhere a moment later leads nowhere. Redirects are not
 * followed.
 */
export const documentFetcher =
  ({ resolve, isAllowed, ca, patience = PATIENCE }: Network = internet): FetchDocument =>
  async url => {
    const signal = AbortSignal.timeout(patience)
    const late = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(new Error(`it took longer than ${patience / 1000} s`)))
    })
    // A name that resolves slowly cannot be called off, only no longer waited for.
    return Promise.race([
      late,
      read(url, { resolve, isAllowed, ...(ca === undefined ? {} : { ca }) }, signal),
    ])
  }

const read = async (url: URL, { resolve, isAllowed, ca }: Network, signal: AbortSignal): Promise<unknown> => {
  if (url.protocol !== 'https:') throw new Error('its address is not https')
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const addresses = isIP(host) ? [host] : await resolved(resolve, host)
  const [address] = addresses
  // One address that is not public spoils all: whoever named it means no good or has it set up wrongly.
  if (address === undefined || !addresses.every(isAllowed))
    throw new Error('its host is not on the public internet')
  signal.throwIfAborted()
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request({
      host: address,
      port: url.port || 443,
      path: url.pathname + url.search,
      // A name that is an IP address has no place in the handshake; the certificate is checked against it all the same.
      servername: isIP(host) ? '' : host,
      headers: { Host: url.host, Accept: 'application/json', 'User-Agent': 'space-site' },
      agent: false,
      signal,
      ...(ca === undefined ? {} : { ca }),
    })
      .on('response', resolve)
      .on('error', error => reject(new Error(`its host does not answer (${error.message})`)))
      .end()
  })
  try {
    return await parsed(response)
  } finally {
    response.destroy()
  }
}

const resolved = async (resolve: Network['resolve'], host: string): Promise<string[]> => {
  try {
    return await resolve(host)
  } catch (error) {
    throw new Error('its host has no address', { cause: error })
  }
}

const parsed = async (response: IncomingMessage): Promise<unknown> => {
  const { statusCode, headers } = response
  if (statusCode !== 200) throw new Error(`its host answered ${statusCode} and not 200`)
  if (!isJson(headers['content-type']) || headers['content-encoding'] !== undefined)
    throw new Error('it is not plain application/json')
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of response as AsyncIterable<Buffer>) {
    size += piece.length
    if (size > MOST_BYTES) throw new Error(`it has more than ${MOST_BYTES} bytes`)
    pieces.push(piece)
  }
  try {
    return JSON.parse(Buffer.concat(pieces).toString('utf8'))
  } catch (error) {
    throw new Error('it is not JSON', { cause: error })
  }
}

const isJson = (type: string | undefined): boolean => {
  try {
    const { essence } = new MIMEType(type ?? '')
    return essence === 'application/json' || essence.endsWith('+json')
  } catch {
    return false
  }
}
