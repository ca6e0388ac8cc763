import { isIPv6 } from 'node:net'

/** Returns the eight 16-bit groups of an IPv6 address. */
const groupsOf = (address: string): number[] => {
  const [head = '', tail] = address.split('::')
  const parse = (text: string) =>
    text === '' ? [] : text.split(':').map(group => Number.parseInt(group, 16))
  const before = parse(head)
  if (tail === undefined) return before
  const after = parse(tail)
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => 0), ...after]
}

const MAPPED_IPV4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i

/**
 * Returns the networks under which a client's address is counted. One customer usually holds a whole IPv6 /64 and can
 * hold a /48, so a limit on single addresses would be easy to evade.
 *
 * @returns `narrow`: the IPv4 address or the IPv6 /64; `wide`: the IPv6 /48, or null for IPv4
 */
export const networkOf = (address: string): { narrow: string; wide: string | null } => {
  const ip = MAPPED_IPV4.exec(address)?.[1] ?? address.replace(/%.*$/, '')
  if (!isIPv6(ip) || ip.includes('.')) return { narrow: ip, wide: null }
  const groups = groupsOf(ip).map(group => group.toString(16))
  return { narrow: `${groups.slice(0, 4).join(':')}::/64`, wide: `${groups.slice(0, 3).join(':')}::/48` }
}
