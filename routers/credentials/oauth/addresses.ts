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

/** The protected resources: the tool servers, and the items of a space for a program that keeps it in a folder. */
export type ResourceName = ToolServerName | 'transfer'

/** Kind of the credential for each resource. */
export const KIND_OF: Record<ResourceName, ResourceKind> = {
  space: 'space',
  studio: 'space',
  readonly: 'space',
  transfer: 'space',
  user: 'user',
}

/**
 * What a grant is for: the resource that the client named (RFC 8707), or `unnamed` if it named none, like clients that are
 * older than RFC 8707.
 */
export type GrantResource = ResourceName | 'unnamed'

/** The resources whose grants work nowhere else. */
const ALONE = new Set<string>(['readonly', 'transfer'] satisfies ResourceName[])

/**
 * Whether the credential of a grant works at a resource, or at the paths of the REST API. A grant for the read-only server,
 * or for the items of a space, works there alone; a grant for another server of spaces works at all of these others, and
 * at the items. `KIND_OF` must match too.
 */
export const worksAt = (resource: string, place: ResourceName | 'rest'): boolean =>
  resource === 'unnamed' || resource === place || (!ALONE.has(resource) && place !== 'readonly')

/** Addresses of a protected resource. */
export interface ResourceAddresses {
  /** The resource identifier (RFC 8707). */
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
  resources: Record<ResourceName, ResourceAddresses>
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
      transfer: resource('/transfer'),
    },
  }
}

/** The resource that each kind of credential belongs to. */
export const RESOURCES = { space_key: 'space', user_token: 'user' } as const

/**
 * Returns the resource that a request names. Clients older than RFC 8707 name none.
 *
 * @throws OauthError `invalid_target` for an unknown resource, or more than one
 */
export const namedServer = (core: Core, parameters: URLSearchParams): ResourceName | undefined => {
  const named = parameters.getAll('resource')
  if (named.length === 0) return undefined
  const resources = Object.entries(oauthAddresses(core.addresses).resources)
  const found = resources.find(([, { url }]) => named.every(name => name === url))
  if (found) return found[0] as ResourceName
  const urls = resources.map(([, { url }]) => url)
  throw new OauthError('invalid_target', `The resource must be one of ${urls.join(', ')}`)
}

/** Returns the tool server of an authorization request that names none: its scopes decide. */
export const serverOfScopes = (scopes: readonly string[]): ToolServerName =>
  scopes.some(scope => RESOURCE_SCOPES.space.some(known => known === scope)) ? 'space' : 'user'

/** Whether a grant includes the use of its credential at a resource. */
export const includes = (
  { kind, resource }: { kind: keyof typeof RESOURCES; resource: string },
  server: ResourceName,
): boolean => KIND_OF[server] === RESOURCES[kind] && worksAt(resource, server)
