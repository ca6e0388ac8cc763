import type { Tool } from '@modelcontextprotocol/sdk/types.js'
import { type RawAnswer, request } from '../../space-api/support/http.ts'
import type { World } from '../../support/world.ts'

/** The two ways of speaking: with a handshake, and with every request saying all about itself. */
export const eras = ['2025-11-25', '2026-07-28'] as const
export type Era = (typeof eras)[number]

/** A tool's result as it came over the wire. */
export interface ToolResult {
  isError?: boolean
  content: { type: string; text: string }[]
  structuredContent?: Record<string, unknown>
  resultType?: string
}

/** A JSON-RPC answer. */
export interface RpcAnswer<Result> {
  status: number
  headers: RawAnswer['headers']
  result: Result
  error: { code: number; message: string; data?: unknown }
}

/** Sends messages to a tool server, with nothing checked on the way. */
export interface ToolClient {
  /** A request of any method; `headers` and `message` replace what would be sent otherwise. */
  send<Result = Record<string, unknown>>(
    method: string,
    params?: Record<string, unknown>,
    other?: { headers?: Record<string, string | undefined>; message?: unknown },
  ): Promise<RpcAnswer<Result>>
  /** The result of a tool. */
  call(name: string, args?: Record<string, unknown>): Promise<ToolResult>
  tools(): Promise<Tool[]>
}

const META = 'io.modelcontextprotocol/'

/** What a request of an era has around it. */
const envelope = (era: Era, method: string, params: Record<string, unknown>) =>
  era === '2025-11-25'
    ? { headers: { 'mcp-protocol-version': era }, params }
    : {
        headers: {
          'mcp-protocol-version': era,
          'mcp-method': method,
          ...(typeof params.name === 'string' ? { 'mcp-name': params.name } : {}),
        },
        params: {
          ...params,
          _meta: { [`${META}protocolVersion`]: era, [`${META}clientCapabilities`]: {} },
        },
      }

/** @param path of the tool server */
export const toolClient = (
  world: World,
  path: '/mcp' | '/user-mcp',
  secret: string | undefined,
  era: Era,
): ToolClient => {
  let count = 0
  const send: ToolClient['send'] = async (method, params = {}, other = {}) => {
    const { headers, params: all } = envelope(era, method, params)
    const message = 'message' in other ? other.message : { jsonrpc: '2.0', id: ++count, method, params: all }
    const given: Record<string, string | undefined> = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: secret && `Bearer ${secret}`,
      ...headers,
      ...other.headers,
    }
    const answer = await request(world.root, 'POST', path, {
      headers: Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
      body: typeof message === 'string' ? message : JSON.stringify(message),
    })
    return { status: answer.status, headers: answer.headers, ...answer.body } as never
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
