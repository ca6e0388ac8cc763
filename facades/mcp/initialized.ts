import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import {
  type CallToolResult,
  type JSONRPCMessage,
  ListToolsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv'
import type { PreparedServer } from './prepared.ts'
import { codes, type Reply, type Request, RpcError, succeeded } from './rpc.ts'

/**
 * Answers requests of the versions that begin with `initialize`, 2024-11-05 to 2025-11-25, by the SDK. No state
 * is kept between requests: each has a server of its own, which is cheap as long as nothing is registered with it
 * and the validator is shared.
 *
 * A tool call needs nothing of the SDK, which would copy its arguments, refuse wrong types in words of its own and
 * check what comes back a second time. It goes straight to the procedure.
 */
export const initializedLeg = ({ info, instructions, list, listText }: PreparedServer) => {
  const options = { instructions, jsonSchemaValidator: new AjvJsonSchemaValidator() }
  const listed = `{"tools":${listText}}`

  return async (request: Request, callTool: () => Promise<CallToolResult>): Promise<Reply> => {
    if (request.method === 'tools/call') return succeeded(request.id, JSON.stringify(await callTool()))
    const { server } = new McpServer(info, options)
    server.registerCapabilities({ tools: {} })
    server.setRequestHandler(ListToolsRequestSchema, () => list)
    const answer = await exchange(server, request)
    if ('result' in answer)
      return succeeded(request.id, answer.result === list ? listed : JSON.stringify(answer.result))
    if (!('error' in answer)) throw new Error('The SDK answered a request with a request')
    const { code, message, data } = answer.error
    // Nothing of ours throws here: what the SDK calls an internal error are parameters it could not read.
    throw code === codes.internal
      ? new RpcError(codes.invalidParams, `The parameters are not those of ${request.method}`, {
          status: 200,
        })
      : new RpcError(code, message, { status: 200, data })
  }
}

/** Hands a request to a server and waits for its answer. */
const exchange = (server: McpServer['server'], request: Request): Promise<JSONRPCMessage> =>
  new Promise((resolve, reject) => {
    const transport: Transport = {
      start: async () => {},
      close: async () => {},
      send: async message => resolve(message),
    }
    // A message that is none is reported there and not answered.
    Object.assign(server, {
      onerror: () => reject(new RpcError(codes.invalidRequest, 'The message is malformed')),
    })
    server
      .connect(transport)
      .then(() => transport.onmessage?.(request))
      .catch(reject)
  })
