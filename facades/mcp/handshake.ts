import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { type JSONRPCMessage, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv'
import type { PreparedServer } from './prepare-server.ts'
import type { JsonPieces } from './result-json.ts'
import { called, codes, type Reply, type Request, RpcError, refuseCursor, succeeded } from './rpc.ts'
import { contentResult } from './studio-content.ts'

/**
 * Uses the SDK for the MCP versions 2024-10-07 to 2025-11-25. In these versions, the client begins with an `initialize`
 * request. Requests share no state: each request gets its own server. Such a server is cheap, because no tools are
 * registered with the server, and all servers share the validator.
 *
 * Tool calls bypass the SDK and go straight to the procedure. The SDK would copy the arguments, reject wrong types with
 * its own messages and validate the output a second time.
 */
export const handshakeProtocol = ({ info, instructions, listFor, content }: PreparedServer) => {
  const options = { instructions, jsonSchemaValidator: new AjvJsonSchemaValidator() }

  /** Replies to everything but tool calls. */
  const replyTo = async (request: Request, scopes: readonly string[]): Promise<Reply> => {
    const list = listFor(scopes)
    const listResult = `{"tools":${list.text}}`
    if (request.method === 'tools/list') {
      refuseCursor(request)
      // Most requests have no parameters, so there is nothing for the SDK to check.
      if (Object.keys(request.params).length === 0) return succeeded(request.id, listResult)
    }
    const result = content && contentResult(content, request)
    if (result) return succeeded(request.id, JSON.stringify(result))
    const { server } = new McpServer(info, options)
    const tools = { tools: list.tools }
    server.registerCapabilities({ tools: {}, ...(content ? { resources: {}, prompts: {} } : {}) })
    server.setRequestHandler(ListToolsRequestSchema, () => tools)
    const response = await exchange(server, request)
    if ('result' in response)
      return succeeded(request.id, response.result === tools ? listResult : JSON.stringify(response.result))
    if (!('error' in response)) throw new Error('The SDK replied to a request with a request')
    const { code, message, data } = response.error
    // Our handlers never throw, so an internal error of the SDK means that it could not parse the parameters.
    throw code === codes.internal
      ? new RpcError(codes.invalidParams, `Invalid parameters for ${request.method}`, {
          status: 200,
        })
      : new RpcError(code, message, { status: 200, data })
  }

  return (
    request: Request,
    scopes: readonly string[],
    callTool: () => Promise<JsonPieces>,
  ): Promise<Reply> =>
    request.method === 'tools/call' ? called(request.id, callTool()) : replyTo(request, scopes)
}

/** Passes a request to a server and waits for the response. */
const exchange = (server: McpServer['server'], request: Request): Promise<JSONRPCMessage> =>
  new Promise((resolve, reject) => {
    const transport: Transport = {
      start: async () => {},
      close: async () => {},
      send: async message => resolve(message),
    }
    // The SDK reports malformed messages here and sends no response.
    Object.assign(server, {
      onerror: () => reject(new RpcError(codes.invalidRequest, 'The message is malformed')),
    })
    server
      .connect(transport)
      .then(() => transport.onmessage?.(request))
      .catch(reject)
  })
