import { Resolver } from 'node:dns/promises'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { isIP } from 'node:net'
import { isPublicAddress } from './public-address.ts'

/** Network access. Tests replace it, because they have no public addresses. */
export interface Network {
  /** Returns the IP addresses of a host. The signal aborts the look-up. */
  resolve: (host: string, signal: AbortSignal) => Promise<string[]>
  isAllowed: (address: string) => boolean
  /** A certificate to trust in addition to the system's. */
  ca?: string
  /** Timeout of a fetch in ms, instead of the default. */
  timeout?: number
}

/** Timeout of one DNS query in ms, and maximum number of times that it is sent. */
const DNS = { timeout: 1_500, tries: 2 }

/**
 * Resolves a host by DNS. Does not use `dns.lookup`, which blocks a thread of Node's pool until an unresponsive DNS
 * server times out: a few such hosts would stop all file access and look-ups of the process.
 *
 * @param servers DNS servers to ask instead of the system's
 */
export const resolveHost = async (
  host: string,
  signal: AbortSignal,
  servers?: readonly string[],
): Promise<string[]> => {
  // Names without a dot are local.
  if (!host.includes('.') || host.endsWith('.localhost')) return []
  const resolver = new Resolver(DNS)
  if (servers) resolver.setServers(servers)
  const cancel = () => resolver.cancel()
  signal.addEventListener('abort', cancel)
  try {
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
    const addresses = answers.flatMap(answer => (answer.status === 'fulfilled' ? answer.value : []))
    if (addresses.length > 0) return addresses
    throw (answers[0] as PromiseRejectedResult).reason
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

export const internet: Network = { resolve: resolveHost, isAllowed: isPublicAddress }

/**
 * Runs work with a signal that aborts after a timeout.
 *
 * @throws Error if the work takes longer than the timeout, even if it ignores the signal
 */
export const withinTime = <T>(timeout: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
  const signal = AbortSignal.timeout(timeout)
  const timedOut = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error(`it took longer than ${timeout / 1000} s`)))
  })
  return Promise.race([timedOut, work(signal)])
}

/**
 * Sends a request to an address that a caller chose. The host is resolved here and the connection goes to the
 * checked address, so that a changed DNS answer (DNS rebinding) has no effect. Redirects are not followed. The code
 * that calls this function must destroy the response.
 *
 * @param post what to send with POST; absent for a GET request
 * @throws Error whose message completes "could not be read: …"
 */
export const guardedRequest = async (
  url: URL,
  accept: string,
  { resolve, isAllowed, ca }: Network,
  signal: AbortSignal,
  post?: { headers: Record<string, string>; body: string },
): Promise<IncomingMessage> => {
  if (url.protocol !== 'https:') throw new Error('its address is not https')
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const addresses = isIP(host) ? [host] : await resolved(resolve, host, signal)
  const [address] = addresses
  // Refuse the host if any of its addresses is not public, because that is an attack or a misconfiguration.
  if (address === undefined || !addresses.every(isAllowed))
    throw new Error('its host is not on the public internet')
  signal.throwIfAborted()
  return new Promise<IncomingMessage>((resolve, reject) => {
    request({
      method: post ? 'POST' : 'GET',
      host: address,
      port: url.port || 443,
      path: url.pathname + url.search,
      // SNI does not allow IP addresses; the certificate is still checked against the address.
      servername: isIP(host) ? '' : host,
      headers: { Host: url.host, Accept: accept, 'User-Agent': 'space-site', ...post?.headers },
      agent: false,
      signal,
      ...(ca === undefined ? {} : { ca }),
    })
      .on('response', resolve)
      .on('error', error => reject(new Error(`its host could not be reached (${error.message})`)))
      .end(post?.body)
  })
}

const resolved = async (
  resolve: Network['resolve'],
  host: string,
  signal: AbortSignal,
): Promise<string[]> => {
  try {
    return await resolve(host, signal)
  } catch (error) {
    throw new Error('its host has no address', { cause: error })
  }
}
