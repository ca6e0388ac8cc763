import type { Addresses } from '../../api/addresses.ts'
import type { Core } from '../../api/context.ts'
import { SPACE_SCOPES, type SpaceScope, USER_SCOPES, type UserScope } from '../../api/scopes.ts'
import { OauthError } from './error.ts'

/** The resource that a client is connected to: one space, or the account of the person who connects it. */
export type ResourceKind = 'space' | 'user'

/** The scopes of each resource. */
export const RESOURCE_SCOPES: Record<ResourceKind, readonly (SpaceScope | UserScope)[]> = {
  space: SPACE_SCOPES,
  user: USER_SCOPES,
}

/** The tool servers. Each is a separate protected resource. */
export type ToolServerName = ResourceKind | 'studio' | 'readonly'

/** Kind of the credential for each tool server. */
export const KIND_OF: Record<ToolServerName, ResourceKind> = {
  space: 'space',
  studio: 'space',
  readonly: 'space',
  user: 'user',
}

/**
 * What a grant is for: the tool server that the client named as its resource (RFC 8707), or `unnamed` if it named none,
 * like clients that are older than RFC 8707.
 */
export type GrantResource = ToolServerName | 'unnamed'

/**
 * Whether the credential of a grant works at a tool server, or at the paths of the REST API. A grant for the read-only
 * server works there alone; a grant for another server of spaces works at all of these others. `KIND_OF` must match too.
 */
export const worksAt = (resource: string, place: ToolServerName | 'rest'): boolean =>
  resource === 'unnamed' || (resource === 'readonly') === (place === 'readonly')

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

/** The resource that each kind of credential belongs to. */
export const RESOURCES = { space_key: 'space', user_token: 'user' } as const

/**
 * Returns the tool server that a request names as its resource. Clients older than RFC 8707 name none.
 *
 * @throws OauthError `invalid_target` for an unknown resource, or more than one
 */
export const namedServer = (core: Core, parameters: URLSearchParams): ToolServerName | undefined => {
  const named = parameters.getAll('resource')
  if (named.length === 0) return undefined
  const resources = Object.entries(oauthAddresses(core.addresses).resources)
  const found = resources.find(([, { url }]) => named.every(name => name === url))
  if (found) return found[0] as ToolServerName
  const urls = resources.map(([, { url }]) => url)
  throw new OauthError('invalid_target', `The resource must be one of ${urls.join(', ')}`)
}

/** Returns the tool server of an authorization request that names none: its scopes decide. */
export const serverOfScopes = (scopes: readonly string[]): ToolServerName =>
  scopes.some(scope => RESOURCE_SCOPES.space.some(known => known === scope)) ? 'space' : 'user'

/** Whether a grant includes the use of its credential at a tool server. */
export const includes = (
  { kind, resource }: { kind: keyof typeof RESOURCES; resource: string },
  server: ToolServerName,
): boolean => KIND_OF[server] === RESOURCES[kind] && worksAt(resource, server)
