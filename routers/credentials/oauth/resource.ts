import type { Core } from '../../core/context.ts'
import { KIND_OF, oauthAddresses, RESOURCE_SCOPES, type ToolServerName, worksAt } from './addresses.ts'
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

/** Returns the tool server of an authorization request that names none: its scopes decide. */
export const serverOfScopes = (scopes: readonly string[]): ToolServerName =>
  scopes.some(scope => RESOURCE_SCOPES.space.some(known => known === scope)) ? 'space' : 'user'

/** Whether a grant includes the use of its credential at a tool server. */
export const includes = (
  { kind, resource }: { kind: keyof typeof RESOURCES; resource: string },
  server: ToolServerName,
): boolean => KIND_OF[server] === RESOURCES[kind] && worksAt(resource, server)
