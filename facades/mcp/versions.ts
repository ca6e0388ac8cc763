import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js'
import { codes, isObject, type Request, RpcError } from './rpc.ts'

/** The version whose every request says all about itself. */
export const STATELESS = '2026-07-28'

/** The versions that begin with `initialize`, newest first. */
const INITIALIZED: readonly string[] = SUPPORTED_PROTOCOL_VERSIONS

/** Every version that is spoken here, newest first. */
export const VERSIONS: readonly string[] = [STATELESS, ...INITIALIZED]

/** What the protocol's own keys of `_meta` begin with. */
export const META = 'io.modelcontextprotocol/'

/** The version that a request claims in its `_meta`; undefined when it claims none. */
export const claimOf = ({ params: { _meta } }: Request): unknown =>
  isObject(_meta) ? _meta[`${META}protocolVersion`] : undefined

export const unsupported = (requested: string) =>
  new RpcError(codes.unsupportedVersion, 'Unsupported protocol version', {
    data: { supported: VERSIONS, requested },
  })

/**
 * Whether a request is one of those that say all about themselves. What it claims decides; the header only has
 * to agree with it.
 *
 * @param header `MCP-Protocol-Version`
 * @throws RpcError for a version that nobody speaks here
 */
export const isStateless = (request: Request, header: string | undefined): boolean => {
  if (claimOf(request) !== undefined || header === STATELESS) return true
  // Which version is spoken after `initialize` is negotiated by it.
  if (request.method !== 'initialize' && header !== undefined && !INITIALIZED.includes(header))
    throw unsupported(header)
  return false
}
