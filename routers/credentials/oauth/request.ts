import type { Core, OauthClient } from '../../core/context.ts'
import { USER_SCOPES, type UserScope } from '../../core/scopes.ts'
import { oauthAddresses } from './addresses.ts'
import { OauthError } from './error.ts'
import { findClient } from './find-client.ts'
import { isRegistered, withAnswer } from './redirects.ts'

/** A client's request that a person can say yes or no to. */
export interface AuthorizationRequest {
  client: OauthClient
  redirectUri: string
  state: string | undefined
  /** SHA-256 of the client's verifier, in base64url. */
  challenge: string
  /** Scopes that the person may choose from. */
  offered: UserScope[]
}

/** What becomes of a request: it is put to the person, or the client gets its answer at once. */
export type Checked = { kind: 'ask'; request: AuthorizationRequest } | { kind: 'answer'; location: string }

/**
 * Judges an authorization request. Only when the client and its address are known to be right is anything sent there.
 *
 * @param query the request's parameters, as a query string
 * @param address network address of the person's browser
 * @throws OauthError for the person to see: `invalid_client`, `invalid_request`, `temporarily_unavailable`
 */
export const checkRequest = async (core: Core, query: string, address: string): Promise<Checked> => {
  const parameters = new URLSearchParams(query)
  const one = (name: string) => single(parameters, name)
  const clientId = one('client_id')
  if (clientId === undefined) throw new OauthError('invalid_request', 'client_id is missing or given twice')
  const client = await findClient(core, address, clientId)
  const redirectUri = one('redirect_uri') ?? (parameters.has('redirect_uri') ? '' : onlyOf(client))
  if (redirectUri === undefined || !isRegistered(client.redirectUris, redirectUri))
    throw new OauthError('invalid_request', 'redirect_uri is not one that the client has registered')

  const state = one('state')
  try {
    for (const name of new Set(parameters.keys()))
      if (name !== 'resource' && one(name) === undefined)
        throw new OauthError('invalid_request', `${name} is given twice`)
    if (one('response_type') !== 'code')
      throw new OauthError('unsupported_response_type', 'response_type has to be code')
    const challenge = challengeOf(parameters)
    requireResource(core, parameters)
    return { kind: 'ask', request: { client, redirectUri, state, challenge, offered: offered(one('scope')) } }
  } catch (error) {
    if (!(error instanceof OauthError)) throw error
    return { kind: 'answer', location: refusal(core, { redirectUri, state }, error) }
  }
}

/** The address that tells a client that it gets nothing, and why (RFC 6749, 4.1.2.1; RFC 9207). */
export const refusal = (
  core: Core,
  { redirectUri, state }: Pick<AuthorizationRequest, 'redirectUri' | 'state'>,
  { code, message }: OauthError,
): string => {
  const { issuer } = oauthAddresses(core.addresses)
  return withAnswer(redirectUri, { error: code, error_description: message, state, iss: issuer })
}

/**
 * Refuses requests for anything but the one resource there is. Clients of before RFC 8707 name none and mean it.
 *
 * @throws OauthError `invalid_target`
 */
export const requireResource = (core: Core, parameters: URLSearchParams): void => {
  const { resource } = oauthAddresses(core.addresses)
  if (!parameters.getAll('resource').every(asked => asked === resource))
    throw new OauthError('invalid_target', `The only resource here is ${resource}`)
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
      'code_challenge has to be a SHA-256 in base64url, with code_challenge_method S256',
    )
  return challenge!
}

/** What was asked for as far as it is known here; everything when nothing was. */
const offered = (asked: string | undefined): UserScope[] => {
  const names = (asked ?? '').split(' ').filter(name => name !== '')
  if (names.length === 0) return [...USER_SCOPES]
  const known = USER_SCOPES.filter(scope => names.includes(scope))
  if (known.length > 0) return known
  throw new OauthError('invalid_scope', `The scopes here are ${USER_SCOPES.join(', ')}`)
}
