import { isIP } from 'node:net'
import type { Addresses } from '../../core/addresses.ts'

/** Who passkeys are made for. */
export interface RelyingParty {
  /** The host name; it is part of each passkey and can't be changed later. */
  id: string
  /** Where the screen is. */
  origin: string
  /** As authenticators show it. */
  name: string
}

/**
 * The service as passkeys know it.
 *
 * @returns null where browsers make none: for a host that is an address, and for plain http from another machine
 */
export const relyingParty = ({ apiRoot }: Addresses): RelyingParty | null => {
  const { protocol, hostname, origin } = new URL(apiRoot)
  const isSecure = protocol === 'https:' || hostname === 'localhost' || hostname.endsWith('.localhost')
  const isAddress = isIP(hostname.replace(/^\[|\]$/g, '')) !== 0
  return isSecure && !isAddress ? { id: hostname, origin, name: 'Space Site' } : null
}
