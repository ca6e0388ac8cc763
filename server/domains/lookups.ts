import { Resolver } from 'node:dns/promises'
import { connect } from 'node:tls'
import type { DomainLookups } from '../../routers/api/context.ts'

/** How long a DNS server may take for an answer, in ms, and how often it is asked. */
const DNS = { timeout: 2_000, tries: 2 }

/** How long the connection to a domain may take, in ms. A proxy can request the certificate while it takes place. */
const TLS_TIMEOUT = 20_000

/** The errors of DNS that are an answer: the name does not exist, or has no such record. */
const NOTHING = new Set<unknown>(['ENOTFOUND', 'ENODATA'])

/** What DNS can have as the target of an alias; anything else is ignored. */
const HOST = /^[a-z0-9._-]{1,253}$/

/**
 * Creates the lookups.
 *
 * @param servers addresses of DNS servers, with an optional port; empty for those of the system
 * @param port the port at which sites are served
 */
export const domainLookups = (servers: readonly string[], port: number): DomainLookups => {
  const resolver = new Resolver(DNS)
  if (servers.length > 0) resolver.setServers(servers)

  const addresses = async (name: string) => {
    const [v4, v6] = await Promise.all([
      answer(resolver.resolve4(name), []),
      answer(resolver.resolve6(name), []),
    ])
    return v4 && v6 && [...v4, ...v6].sort()
  }

  return {
    texts: async name =>
      (await answer(resolver.resolveTxt(name), []))?.map(pieces => pieces.join('')) ?? null,
    addresses,
    alias: async name => {
      const alias = (await answer(resolver.resolveCname(name), []))?.[0]?.toLowerCase()
      return alias !== undefined && HOST.test(alias) ? alias : null
    },
    certificateError: (name, address) =>
      new Promise(resolve => {
        const socket = connect({ host: address, port, servername: name, timeout: TLS_TIMEOUT })
        const end = (reason: string | null) => {
          resolve(reason)
          socket.destroy()
        }
        socket.once('secureConnect', () => end(null))
        socket.once('timeout', () => end('timeout'))
        socket.once('error', error => end('code' in error ? String(error.code) : error.message))
      }),
  }
}

/** Returns the records, `nothing` if DNS says that there are none, or null if it gives no answer. */
const answer = <T>(records: Promise<T>, nothing: T): Promise<T | null> =>
  records.catch((error: unknown) => {
    if (error instanceof Error && 'code' in error) return NOTHING.has(error.code) ? nothing : null
    throw error
  })
