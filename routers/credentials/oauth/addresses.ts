import type { Addresses } from '../../core/addresses.ts'
import { SPACE_SCOPES, type SpaceScope, USER_SCOPES, type UserScope } from '../../core/scopes.ts'

/** The resource that a client is connected to: one space, or the account of the person who connects it. */
export type ResourceKind = 'space' | 'user'

/** The scopes of each resource. */
export const RESOURCE_SCOPES: Record<ResourceKind, readonly (SpaceScope | UserScope)[]> = {
  space: SPACE_SCOPES,
  user: USER_SCOPES,
}

/** The tool servers. Each is a separate protected resource. A credential works at all servers of its kind. */
export type ToolServerName = ResourceKind | 'studio' | 'readonly'

/** Kind of the credential for each tool server. */
export const KIND_OF: Record<ToolServerName, ResourceKind> = {
  space: 'space',
  studio: 'space',
  readonly: 'space',
  user: 'user',
}

/** Addresses of a protected resource. */
export interface ResourceAddresses {
  /** The tool server, which is the resource identifier (RFC 8707). */
  url: string
  /** Protected resource metadata (RFC 9728), named in the 401 challenge. */
  metadata: string
}

/** Addresses of the authorization server and of the resources it protects. */
export interface OauthAddresses {
  /** The issuer identifier; all endpoints are below it. */
  issuer: string
  /** Authorization server metadata (RFC 8414). */
  serverMetadata: string
  resources: Record<ToolServerName, ResourceAddresses>
}

const WELL_KNOWN = '/.well-known/'

/** Inserts a well-known name between the host and the path of an address (RFC 8615). */
const wellKnown = (name: string, address: string): string => {
  const { origin, pathname } = new URL(address)
  return `${origin}${WELL_KNOWN}${name}${pathname}`
}

export const oauthAddresses = ({ apiRoot }: Addresses): OauthAddresses => {
  const issuer = `${apiRoot}/oauth`
  const resource = (path: string): ResourceAddresses => ({
    url: apiRoot + path,
    metadata: wellKnown('oauth-protected-resource', apiRoot + path),
  })
  return {
    issuer,
    serverMetadata: wellKnown('oauth-authorization-server', issuer),
    resources: {
      space: resource('/mcp'),
      user: resource('/user-mcp'),
      studio: resource('/mcp/studio'),
      readonly: resource('/mcp/readonly'),
    },
  }
}
