import type { Addresses } from '../../core/addresses.ts'

/** Addresses of the authorization server and of the resource it protects. */
export interface OauthAddresses {
  /** The issuer identifier; all endpoints are below it. */
  issuer: string
  /** The only resource: the tool server of the User API (RFC 8707). */
  resource: string
  /** Protected resource metadata (RFC 9728), named in the 401 challenge. */
  resourceMetadata: string
  /** Authorization server metadata (RFC 8414). */
  serverMetadata: string
}

const WELL_KNOWN = '/.well-known/'

/** Inserts a well-known name between the host and the path of an address (RFC 8615). */
const wellKnown = (name: string, address: string): string => {
  const { origin, pathname } = new URL(address)
  return `${origin}${WELL_KNOWN}${name}${pathname}`
}

export const oauthAddresses = ({ apiRoot }: Addresses): OauthAddresses => {
  const issuer = `${apiRoot}/oauth`
  const resource = `${apiRoot}/user-mcp`
  return {
    issuer,
    resource,
    resourceMetadata: wellKnown('oauth-protected-resource', resource),
    serverMetadata: wellKnown('oauth-authorization-server', issuer),
  }
}
