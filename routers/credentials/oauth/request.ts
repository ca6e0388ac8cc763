import type { Core, OauthClient } from '../../api/context.ts'
import type { SpaceScope, UserScope } from '../../api/scopes.ts'
import {
  type GrantResource,
  KIND_OF,
  namedServer,
  oauthAddresses,
  RESOURCE_SCOPES,
  type ResourceKind,
  type ResourceName,
  serverOfScopes,
} from './addresses.ts'
import { COMMAND_LINE, findClient } from './clients.ts'
import { OauthError } from './error.ts'
import { isRegistered, withParameters } from './redirects.ts'

/** A valid authorization request, ready for the person's decision. */
export interface AuthorizationRequest {
  client: OauthClient
  redirectUri: string
  state: string | undefined
  /** SHA-256 of the client's verifier, in base64url. */
  challenge: string
  server: ResourceName
  /** What the grant will be for. */
  grantResource: GrantResource
  resource: ResourceKind
  /** The space that the built-in client asks for. Other clients cannot preselect one. */
  subdomain?: string | undefined
  /** Scopes that the person may choose from. */
  offered: (SpaceScope | UserScope)[]
}

/** An invalid request of a known client. */
export interface InvalidRequest extends Pick<AuthorizationRequest, 'client' | 'redirectUri'> {
  /** Redirect target that reports the error to the client. */
  location: string
  error: OauthError
}

/** The result of checking a request: ask the person for a decision, or show the error. */
export type Checked =
  | { kind: 'ask'; request: AuthorizationRequest }
  | { kind: 'invalid'; request: InvalidRequest }

/**
 * Validates an authorization request. Errors can be reported to the client only after its redirect URI has been
 * verified.
 *
 * @param query the request's parameters, as a query string
 * @param address network address of the person's browser
 * @throws OauthError to show to the person: `invalid_client`, `invalid_request`, `temporarily_unavailable`
 */
export const checkRequest = async (core: Core, query: string, address: string): Promise<Checked> => {
  const parameters = new URLSearchParams(query)
  const one = (name: string) => single(parameters, name)
  const clientId = one('client_id')
  if (clientId === undefined) throw new OauthError('invalid_request', 'client_id is missing or repeated')
  const client = await findClient(core, address, clientId)
  const redirectUri = one('redirect_uri') ?? (parameters.has('redirect_uri') ? '' : onlyOf(client))
  if (redirectUri === undefined || !isRegistered(client.redirectUris, redirectUri))
    throw new OauthError('invalid_request', 'The app has not registered this redirect_uri')

  const state = one('state')
  try {
    for (const name of new Set(parameters.keys()))
      if (name !== 'resource' && one(name) === undefined)
        throw new OauthError('invalid_request', `${name} must not be repeated`)
    if (one('response_type') !== 'code')
      throw new OauthError('unsupported_response_type', 'response_type must be code')
    const challenge = challengeOf(parameters)
    const requested = (one('scope') ?? '').split(' ').filter(name => name !== '')
    const named = namedServer(core, parameters)
    const server = named ?? serverOfScopes(requested)
    const resource = KIND_OF[server]
    const offered = offeredScopes(resource, requested)
    const grantResource = named ?? 'unnamed'
    const subdomain = client.id === COMMAND_LINE.id ? one('space') : undefined
    return {
      kind: 'ask',
      request: { client, redirectUri, state, challenge, server, grantResource, resource, subdomain, offered },
    }
  } catch (error) {
    if (!(error instanceof OauthError)) throw error
    const location = errorRedirect(core, { redirectUri, state }, error)
    return { kind: 'invalid', request: { client, redirectUri, location, error } }
  }
}

/** Returns the redirect target that reports an error to the client (RFC 6749, 4.1.2.1; RFC 9207). */
export const errorRedirect = (
  core: Core,
  { redirectUri, state }: Pick<AuthorizationRequest, 'redirectUri' | 'state'>,
  { code, message }: OauthError,
): string => {
  const { issuer } = oauthAddresses(core.addresses)
  return withParameters(redirectUri, { error: code, error_description: message, state, iss: issuer })
}

const single = (parameters: URLSearchParams, name: string): string | undefined => {
  const values = parameters.getAll(name)
  return values.length === 1 ? values[0] : undefined
}

const onlyOf = ({ redirectUris }: OauthClient) => (redirectUris.length === 1 ? redirectUris[0] : undefined)

const challengeOf = (parameters: URLSearchParams): string => {
  const challenge = single(parameters, 'code_challenge')
  if (single(parameters, 'code_challenge_method') !== 'S256' || !/^[\w-]{43}$/.test(challenge ?? ''))
    throw new OauthError(
      'invalid_request',
      'code_challenge must be a SHA-256 hash in base64url, with code_challenge_method S256',
    )
  return challenge!
}

/** Returns the known scopes among the requested ones; all scopes of the resource when none was requested. */
const offeredScopes = (resource: ResourceKind, requested: readonly string[]) => {
  const all = RESOURCE_SCOPES[resource]
  if (requested.length === 0) return [...all]
  const known = all.filter(name => requested.includes(name))
  if (known.length > 0) return known
  throw new OauthError('invalid_scope', `The available scopes are ${all.join(', ')}`)
}
