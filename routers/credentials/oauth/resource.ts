import type { Core } from '../../core/context.ts'
import {
  KIND_OF,
  oauthAddresses,
  RESOURCE_SCOPES,
  type ResourceKind,
  type ToolServerName,
} from './addresses.ts'
import { OauthError } from './error.ts'

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

/** Returns the kind of resource that a request names. Throws like {@link namedServer}. */
export const namedResource = (core: Core, parameters: URLSearchParams): ResourceKind | undefined => {
  const server = namedServer(core, parameters)
  return server && KIND_OF[server]
}

/** Returns the tool server of an authorization request. If the request names none, its scopes decide. */
export const requestedServer = (
  core: Core,
  parameters: URLSearchParams,
  scopes: readonly string[],
): ToolServerName => {
  const isSpaceScope = (scope: string) => RESOURCE_SCOPES.space.some(known => known === scope)
  return namedServer(core, parameters) ?? (scopes.some(isSpaceScope) ? 'space' : 'user')
}
