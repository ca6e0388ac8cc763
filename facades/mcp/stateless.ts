import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js'
import type { PreparedServer } from './prepare-server.ts'
import type { JsonPieces } from './result-json.ts'
import {
  called,
  codes,
  isObject,
  type Reply,
  type Request,
  RpcError,
  refuseCursor,
  succeeded,
} from './rpc.ts'
import { contentResult } from './studio-content.ts'

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

/** Headers that repeat fields of the body, so that proxies can route without reading it. */
export interface RoutingHeaders {
  version: string | undefined
  method: string | undefined
  name: string | undefined
}

/** How long clients can cache a result, in ms. Results change only when a new version of the service is deployed. */
const TTL = { discover: 3_600_000, list: 300_000 }

/**
 * Handles version 2026-07-28, which has no handshake. Each request has the version and the capabilities in `_meta`. It
 * also has headers, which must match its body.
 *
 * @returns a function that replies to a request; it throws RpcError for requests that version 2026-07-28 does not allow
 */
export const statelessProtocol = ({ info, instructions, listFor, content }: PreparedServer) => {
  const _meta = { [`${META}serverInfo`]: info }
  const tail = `"resultType":"complete","_meta":${JSON.stringify(_meta)}`
  const cached = (ttlMs: number) => `"ttlMs":${ttlMs},"cacheScope":"private",${tail}`
  const discovered = JSON.stringify({
    supportedVersions: VERSIONS,
    capabilities: { tools: {}, ...(content ? { resources: {}, prompts: {} } : {}) },
    instructions,
  })
  const discovery = `${discovered.slice(0, -1)},${cached(TTL.discover)}}`
  const withTail = (result: object, rest: string) => `${JSON.stringify(result).slice(0, -1)},${rest}}`

  return (
    request: Request,
    headers: RoutingHeaders,
    scopes: readonly string[],
    callTool: () => Promise<JsonPieces>,
  ): Reply | Promise<Reply> => {
    validate(request, headers)
    const { id, method } = request
    if (method === 'server/discover') return succeeded(id, discovery)
    if (method === 'tools/list') {
      refuseCursor(request)
      return succeeded(id, `{"tools":${listFor(scopes).text},${cached(TTL.list)}}`)
    }
    if (method === 'tools/call') return called(id, callTool(), `,${tail}`)
    const result = content && contentResult(content, request)
    if (result) return succeeded(id, withTail(result, method === 'prompts/get' ? tail : cached(TTL.list)))
    throw new RpcError(codes.methodNotFound, `Unknown method ${JSON.stringify(method.slice(0, 100))}`, {
      status: 404,
    })
  }
}

/** Validates the metadata and headers that 2026-07-28 requires. */
const validate = (request: Request, headers: RoutingHeaders) => {
  const { params, method } = request
  const claim = claimOf(request)
  const capabilities = isObject(params._meta) ? params._meta[`${META}clientCapabilities`] : undefined
  if (typeof claim !== 'string' || !isObject(capabilities))
    throw new RpcError(
      codes.invalidParams,
      `params._meta must have ${META}protocolVersion, a string, and ${META}clientCapabilities, an object`,
    )
  requireMatch('MCP-Protocol-Version', headers.version, claim)
  if (claim !== STATELESS) throw unsupported(claim)
  requireMatch('Mcp-Method', headers.method, method)
  const named = NAMES[method]
  const name = named === undefined ? undefined : params[named]
  if (typeof name === 'string')
    requireMatch('Mcp-Name', headers.name === undefined ? undefined : decoded(headers.name), name)
}

/** The parameter that the header `Mcp-Name` repeats, by method. */
const NAMES: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
}

/**
 * Requires that a header repeats a value of the body.
 *
 * @param value the header's value; null if it is malformed
 */
const requireMatch = (header: string, value: string | null | undefined, expected: string) => {
  if (value === expected) return
  const error =
    value === undefined ? 'is missing' : value === null ? 'is not valid Base64' : 'has another value'
  throw new RpcError(
    codes.headerMismatch,
    `The body has ${JSON.stringify(expected.slice(0, 100))}, but the header ${header} ${error}`,
  )
}

/**
 * Decodes a header value, which is in Base64 if it has characters that headers do not allow. Returns null when
 * malformed.
 */
const decoded = (value: string): string | null => {
  const wrapped = /^=\?base64\?(.*)\?=$/s.exec(value)?.[1]
  if (wrapped === undefined) return value
  const bytes = Buffer.from(wrapped, 'base64')
  const text = bytes.toString('utf8')
  return bytes.toString('base64') === wrapped && Buffer.from(text, 'utf8').equals(bytes) ? text : null
}
