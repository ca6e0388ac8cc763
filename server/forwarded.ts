import type { IncomingMessage } from 'node:http'

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
