import type { Tool } from '@modelcontextprotocol/sdk/types.js'
import { type RawResponse, request } from '../../space-api/support/http.ts'
import type { TestService } from '../../support/test-service.ts'

/** The newest version of the handshake protocol, and of the stateless protocol. */
export const protocols = ['2025-11-25', '2026-07-28'] as const
export type Protocol = (typeof protocols)[number]

/** A tool result as received. */
export interface ToolResult {
  isError?: boolean
  content: { type: string; text: string }[]
  structuredContent?: Record<string, unknown>
  resultType?: string
}

/** A JSON-RPC response. */
export interface RpcResponse<Result> {
  status: number
  headers: RawResponse['headers']
  result: Result
  error: { code: number; message: string; data?: unknown }
}

/** The paths of the tool servers. */
export type ToolPath = '/mcp' | '/user-mcp' | '/mcp/studio' | '/mcp/readonly'

/** Sends messages to a tool server, even invalid ones. */
export interface ToolClient {
  /** Sends a request. `headers` and `meta` extend or override the defaults. `message` replaces the body. */
  send<Result = Record<string, unknown>>(
    method: string,
    params?: Record<string, unknown>,
    other?: { headers?: Record<string, string | undefined>; meta?: object; message?: unknown },
  ): Promise<RpcResponse<Result>>
  /** Calls a tool and returns its result. */
  call(name: string, args?: Record<string, unknown>): Promise<ToolResult>
  tools(): Promise<Tool[]>
}

const META = 'io.modelcontextprotocol/'

/** The headers and params that a protocol requires. */
const envelope = (protocol: Protocol, method: string, params: Record<string, unknown>, meta = {}) =>
  protocol === '2025-11-25'
    ? {
        headers: { 'mcp-protocol-version': protocol },
        params: Object.keys(meta).length > 0 ? { ...params, _meta: meta } : params,
      }
    : {
        headers: {
          'mcp-protocol-version': protocol,
          'mcp-method': method,
          ...(typeof params.name === 'string' ? { 'mcp-name': params.name } : {}),
          ...(method === 'resources/read' ? { 'mcp-name': String(params.uri) } : {}),
        },
        params: {
          ...params,
          _meta: { [`${META}protocolVersion`]: protocol, [`${META}clientCapabilities`]: {}, ...meta },
        },
      }

/**
 * Creates a client of a tool server.
 *
 * @param path the tool server's path
 */
export const toolClient = (
  service: Pick<TestService, 'root'>,
  path: ToolPath,
  secret: string | undefined,
  protocol: Protocol,
): ToolClient => {
  let count = 0
  const send: ToolClient['send'] = async (method, params = {}, other = {}) => {
    const { headers, params: all } = envelope(protocol, method, params, other.meta)
    const message = 'message' in other ? other.message : { jsonrpc: '2.0', id: ++count, method, params: all }
    const given: Record<string, string | undefined> = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: secret && `Bearer ${secret}`,
      ...headers,
      ...other.headers,
    }
    const response = await request(service.root, 'POST', path, {
      headers: Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
      body: typeof message === 'string' ? message : JSON.stringify(message),
    })
    return { status: response.status, headers: response.headers, ...response.body } as never
  }
  return {
    send,
    call: async (name, args = {}) => {
      const { result, error } = await send<ToolResult>('tools/call', { name, arguments: args })
      if (error) throw new Error(`${name}: ${error.message}`)
      return result
    },
    tools: async () => (await send<{ tools: Tool[] }>('tools/list')).result.tools,
  }
}
