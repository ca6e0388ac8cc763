import { isIP } from 'node:net'
import type { Addresses } from '../../api/addresses.ts'

/**
 * Loads the WebAuthn library when it is first needed. The library and its certificate parsers are a seventh of all
 * modules of the process, so loading them would slow every start.
 */
export const webauthn = async () => {
  const [library, helpers] = await Promise.all([
    import('@simplewebauthn/server'),
    import('@simplewebauthn/server/helpers'),
  ])
  return { ...library, ...helpers }
}

/** The WebAuthn relying party: this service. */
export interface RelyingParty {
  /** The host name. It is part of each passkey, so it cannot be changed later. */
  id: string
  /** Origin of the dashboard. */
  origin: string
  /** Name of the service, which authenticators display. */
  name: string
}

/**
 * Returns the relying party, or null where browsers do not create passkeys: for IP addresses, and for plain http on
 * hosts other than localhost.
 */
export const relyingParty = ({ apiRoot }: Addresses): RelyingParty | null => {
  const { protocol, hostname, origin } = new URL(apiRoot)
  const isSecure = protocol === 'https:' || hostname === 'localhost' || hostname.endsWith('.localhost')
  const isAddress = isIP(hostname.replace(/^\[|\]$/g, '')) !== 0
  return isSecure && !isAddress ? { id: hostname, origin, name: 'Space Site' } : null
}
