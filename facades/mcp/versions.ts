import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js'
import { codes, isObject, type Request, RpcError } from './rpc.ts'

/** The version without a handshake. */
export const STATELESS = '2026-07-28'

/** The versions of the handshake protocol, which begins with `initialize`. The newest version is first. */
const HANDSHAKE: readonly string[] = SUPPORTED_PROTOCOL_VERSIONS

/** Every supported version, newest first. */
export const VERSIONS: readonly string[] = [STATELESS, ...HANDSHAKE]

/** Prefix of the protocol's own keys in `_meta`. */
export const META = 'io.modelcontextprotocol/'

/** Returns the version that a request claims in its `_meta`, if any. */
export const claimOf = ({ params: { _meta } }: Request): unknown =>
  isObject(_meta) ? _meta[`${META}protocolVersion`] : undefined

export const unsupported = (requested: string) =>
  new RpcError(codes.unsupportedVersion, 'Unsupported protocol version', {
    data: { supported: VERSIONS, requested },
  })

/**
 * Whether a request uses the stateless protocol. A version in the body takes precedence; the header must match it.
 *
 * @param header `MCP-Protocol-Version`
 * @throws RpcError for an unsupported version
 */
export const isStateless = (request: Request, header: string | undefined): boolean => {
  if (claimOf(request) !== undefined || header === STATELESS) return true
  // `initialize` negotiates the version, so its header does not matter.
  if (request.method !== 'initialize' && header !== undefined && !HANDSHAKE.includes(header))
    throw unsupported(header)
  return false
}
