import type { Addresses } from '../../core/addresses.ts'

/** Where the authorization server and what it guards are. */
export interface OauthAddresses {
  /** The authorization server's name; its endpoints are below it. */
  issuer: string
  /** The one resource that it gives access to: the User API's tool server (RFC 8707). */
  resource: string
  /** What a client that was refused reads next (RFC 9728): the well-known part comes between host and path. */
  resourceMetadata: string
  /** The authorization server's own description (RFC 8414). */
  serverMetadata: string
}

const WELL_KNOWN = '/.well-known/'

/** Puts a well-known name between the host and the path of an address (RFC 8615). */
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
