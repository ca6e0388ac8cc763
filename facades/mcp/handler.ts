import { type RequestHandler, type Response, Router } from 'express'
import type { Actor } from '../../routers/core/actor.ts'
import type { Context, RateState } from '../../routers/core/context.ts'
import { Problem } from '../../routers/core/problem.ts'
import { limits } from '../../routers/core/rules.ts'
import type { ReadJson } from '../http/body.ts'
import { drain } from '../http/drain.ts'
import { type CallOptions, ENVELOPE, toolCaller } from './call.ts'
import { handshakeProtocol } from './handshake.ts'
import { servePage } from './page.ts'
import { prepareServer } from './prepare-server.ts'
import { ACCEPTED, codes, failed, type Reply, RpcError, requestFrom } from './rpc.ts'
import { rpcErrorOf } from './rpc-error.ts'
import { sendReply } from './send-reply.ts'
import type { ToolServer } from './servers.ts'
import { statelessProtocol } from './stateless.ts'
import type { Tool } from './tools.ts'
import { isStateless } from './versions.ts'

/** Dependencies of a tool server. */
export interface ToolServerOptions extends CallOptions {
  readJson: ReadJson
  /** Address of the main site. Browser requests from any other origin are refused. */
  apiRoot: string
  /** Returns the holder of the credential in an `Authorization` header, or null. */
  authenticate: (authorization: string | undefined) => Promise<Actor | null>
  /** Called after every request that is answered, `tools/list` included. */
  onUse: (credentialId: string) => void
  /** Creates the context of one call. */
  contextFor: (actor: Actor) => Context
  /** Returns the id of a request in the log. */
  referenceOf: (req: object) => string
  /** Address of the OAuth metadata, if clients can request a credential. */
  resourceMetadata?: string
}

/** An Express request. */
type HttpRequest = Parameters<RequestHandler>[0]

/**
 * A stateless tool server over Streamable HTTP: each POST carries one JSON-RPC message and gets one JSON response
 * (contract: "Tool server for agents"). Unauthenticated callers are refused before the body is read.
 */
export const toolServerHandler = (server: ToolServer, options: ToolServerOptions): Router => {
  const prepared = prepareServer(options.router, server)
  const call = toolCaller(prepared.tools, options)
  const stateless = statelessProtocol(prepared)
  const handshake = handshakeProtocol(prepared)
  const { origin } = new URL(options.apiRoot)
  const limitOf = ({ operation: { meta } }: Tool) => meta.bodyLimit ?? limits.body
  // Above the limit of every tool, so that slightly oversized arguments are a tool result like other errors.
  const bodyLimit = Math.max(...[...prepared.tools.values()].map(limitOf)) + 2 * ENVELOPE

  const admit = async (req: HttpRequest) => {
    if (req.method !== 'POST')
      throw new RpcError(codes.refused, 'Only POST is allowed', {
        status: 405,
        headers: { Allow: 'POST' },
      })
    if (req.headers.origin !== undefined && req.headers.origin !== origin)
      throw new RpcError(codes.refused, 'Requests from other websites are refused', { status: 403 })
    const actor = await options.authenticate(req.headers.authorization)
    const caller = actor && server.caller(actor)
    if (!actor || !caller) throw new Problem('unauthorized')
    if (!req.accepts('json'))
      throw new RpcError(codes.refused, 'The request must accept application/json', { status: 406 })
    return { actor, caller }
  }

  const handle = async (
    req: HttpRequest,
    res: Response,
    onRate: (state: RateState) => void,
  ): Promise<Reply> => {
    const { actor, caller } = await admit(req)
    const { json, size } = await options.readJson(req, res, { limit: bodyLimit, caller: caller.credentialId })
    const request = requestFrom(json)
    if (!request) return ACCEPTED
    const header = (name: string) => req.get(name)?.trim()
    const callTool = () =>
      call(
        { name: request.params.name, arguments: request.params.arguments, size },
        { ...options.contextFor(actor), ...caller, reference: options.referenceOf(req), onRate },
      )
    try {
      const version = header('mcp-protocol-version')
      const reply = isStateless(request, version)
        ? await stateless(
            request,
            { version, method: header('mcp-method'), name: header('mcp-name') },
            callTool,
          )
        : await handshake(request, callTool)
      options.onUse(caller.credentialId)
      return reply
    } catch (error) {
      if (error instanceof RpcError) return failed(request.id, error)
      throw error
    }
  }

  const sendError = (req: HttpRequest, res: Response, error: unknown, rate?: RateState) => {
    const rpcError = rpcErrorOf(error, { ...options, reference: options.referenceOf(req) })
    sendReply(res, failed(rpcError.id, rpcError), { rate, headers: rpcError.headers })
  }

  const serve = async (req: HttpRequest, res: Response): Promise<void> => {
    let rate: RateState | undefined
    try {
      const reply = await handle(req, res, state => {
        rate = state
      })
      sendReply(res, reply, { rate })
    } catch (error) {
      if (req.destroyed && !req.complete) return
      sendError(req, res, error, rate)
    }
    drain(req)
  }

  const url = options.apiRoot + server.path
  const router = Router({ caseSensitive: true, strict: true })
  const needsNoCredential = options.resourceMetadata !== undefined
  router.get(server.path, servePage(server, prepared, { ...options, needsNoCredential }))
  router.all(server.path, serve)
  router.post(`${server.path}/`, (req, res) => {
    sendError(
      req,
      res,
      new Problem('not_found', { detail: `The tool server is at ${url}, without a slash.` }),
    )
    drain(req)
  })
  return router
}
