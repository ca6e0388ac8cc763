import type { IncomingMessage } from 'node:http'
import { BlockList, isIPv6 } from 'node:net'

/**
 * Whether an address belongs to a trusted proxy.
 *
 * @param hop number of proxies between the address and this process
 */
export type IsTrusted = (address: string, hop: number) => boolean

/** Returns the requested host name as Express does: from `X-Forwarded-Host` if a trusted proxy sent it. */
export const hostnameOf = (req: IncomingMessage, isTrusted: IsTrusted): string | undefined => {
  const { host } = req.headers
  const forwarded = req.headers['x-forwarded-host'] as string | undefined
  const isForwarded = forwarded && isTrusted(req.socket.remoteAddress ?? '', 0)
  const asked = isForwarded ? forwarded.split(',', 1)[0]!.trimEnd() : host
  if (asked === undefined) return undefined
  const colon = asked.indexOf(':', asked.startsWith('[') ? asked.indexOf(']') : 0)
  return colon === -1 ? asked : asked.slice(0, colon)
}

/**
 * Returns the network address of the client as Express does: the nearest address in the chain of proxies that is not a
 * trusted proxy.
 */
export const addressOf = (req: IncomingMessage, isTrusted: IsTrusted): string => {
  const forwarded = (req.headers['x-forwarded-for'] as string | undefined)?.split(',') ?? []
  const [first, ...others] = forwarded.map(address => address.trim()).filter(address => address !== '')
  const connected = req.socket.remoteAddress ?? 'unknown'
  if (first === undefined) return connected
  const proxies = [connected, ...others.toReversed()]
  return proxies.find((address, hop) => !isTrusted(address, hop)) ?? first
}

/** Addresses of one machine or of a private network, where a proxy of the operator is. */
const nearby = new BlockList()
for (const [network, prefix] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  nearby.addSubnet(network, prefix)
nearby.addAddress('::1', 'ipv6')
nearby.addSubnet('fc00::', 7, 'ipv6')

/**
 * Returns a function that looks at each request, and warns once if a proxy nearby forwards requests but is not trusted:
 * then all visitors share the limits of the proxy's address.
 */
export const untrustedProxyWarning = (isTrusted: IsTrusted, warn: (message: string) => void) => {
  let isDone = false
  return ({ headers, socket }: IncomingMessage): void => {
    if (isDone || headers['x-forwarded-for'] === undefined) return
    const address = socket.remoteAddress ?? ''
    if (isTrusted(address, 0) || !nearby.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')) return
    isDone = true
    warn(
      `Requests arrive through a proxy at ${address}, which TRUSTED_PROXIES does not name: all visitors share the limits of one address. Add the address of the proxy to TRUSTED_PROXIES`,
    )
  }
}
