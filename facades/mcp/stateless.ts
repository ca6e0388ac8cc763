import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import type { PreparedServer } from './prepared.ts'
import { codes, isObject, type Reply, type Request, RpcError, succeeded } from './rpc.ts'
import { claimOf, META, STATELESS, unsupported, VERSIONS } from './versions.ts'

/** The headers in which a request repeats what its body says, for whoever stands between. */
export interface RoutingHeaders {
  version: string | undefined
  method: string | undefined
  name: string | undefined
}

/** Milliseconds that answers may be kept for: lists change when the service is replaced, and not before. */
const KEPT = { discover: 3_600_000, list: 300_000 }

/**
 * Answers requests of the version 2026-07-28, which has no handshake: each carries version and capabilities in
 * `_meta`, and headers that must agree with its body.
 *
 * @returns a function that throws RpcError for whatever is no proper request of this version
 */
export const statelessLeg = ({ info, instructions, listText }: PreparedServer) => {
  const _meta = { [`${META}serverInfo`]: info }
  const tail = `"resultType":"complete","_meta":${JSON.stringify(_meta)}`
  const cached = (ttlMs: number) => `"ttlMs":${ttlMs},"cacheScope":"private",${tail}`
  const discovered = JSON.stringify({
    supportedVersions: VERSIONS,
    capabilities: { tools: {} },
    instructions,
  })
  const discovery = `${discovered.slice(0, -1)},${cached(KEPT.discover)}}`
  const list = `{"tools":${listText},${cached(KEPT.list)}}`

  return async (
    request: Request,
    headers: RoutingHeaders,
    callTool: () => Promise<CallToolResult>,
  ): Promise<Reply> => {
    judge(request, headers)
    const { id, method } = request
    if (method === 'server/discover') return succeeded(id, discovery)
    if (method === 'tools/list') return succeeded(id, list)
    if (method === 'tools/call')
      return succeeded(id, `${JSON.stringify(await callTool()).slice(0, -1)},${tail}}`)
    throw new RpcError(codes.methodNotFound, `There is no method ${JSON.stringify(method.slice(0, 100))}`, {
      status: 404,
    })
  }
}

/** Holds a request against what this version wants of each. */
const judge = (request: Request, headers: RoutingHeaders) => {
  const { params, method } = request
  const claim = claimOf(request)
  const capabilities = isObject(params._meta) ? params._meta[`${META}clientCapabilities`] : undefined
  if (typeof claim !== 'string' || !isObject(capabilities))
    throw new RpcError(
      codes.invalidParams,
      `params._meta must have ${META}protocolVersion, a string, and ${META}clientCapabilities, an object`,
    )
  agree('MCP-Protocol-Version', headers.version, claim)
  if (claim !== STATELESS) throw unsupported(claim)
  agree('Mcp-Method', headers.method, method)
  if (method === 'tools/call' && typeof params.name === 'string')
    agree('Mcp-Name', headers.name === undefined ? undefined : decoded(headers.name), params.name)
}

/** @param said null for a header that cannot be read */
const agree = (header: string, said: string | null | undefined, meant: string) => {
  if (said === meant) return
  const fault = said === undefined ? 'is missing' : said === null ? 'is not proper Base64' : 'says otherwise'
  throw new RpcError(
    codes.headerMismatch,
    `The body says ${JSON.stringify(meant.slice(0, 100))}, and the header ${header} ${fault}`,
  )
}

/** A header's value, which may be wrapped as Base64 where it holds more than a header can; null when that is broken. */
const decoded = (value: string): string | null => {
  const wrapped = /^=\?base64\?(.*)\?=$/s.exec(value)?.[1]
  if (wrapped === undefined) return value
  const bytes = Buffer.from(wrapped, 'base64')
  const text = bytes.toString('utf8')
  return bytes.toString('base64') === wrapped && Buffer.from(text, 'utf8').equals(bytes) ? text : null
}
