import { type RequestHandler, type Response, Router } from 'express'
import type { Actor } from '../../routers/core/actor.ts'
import type { Context, RateState } from '../../routers/core/context.ts'
import { Problem } from '../../routers/core/problem.ts'
import { limits } from '../../routers/core/rules.ts'
import { readJson } from '../http/body.ts'
import { drain } from '../http/drain.ts'
import { type CallOptions, ENVELOPE, toolCaller } from './call.ts'
import { initializedLeg } from './initialized.ts'
import { servePage } from './page.ts'
import { prepareServer } from './prepared.ts'
import { refusalOf } from './refusal.ts'
import { ACCEPTED, codes, failed, type Reply, RpcError, requestFrom } from './rpc.ts'
import { sendReply } from './send-reply.ts'
import type { ToolServer } from './servers.ts'
import { statelessLeg } from './stateless.ts'
import type { Tool } from './tools.ts'
import { isStateless } from './versions.ts'

/** What a tool server needs of the process. */
export interface ToolDoorOptions extends CallOptions {
  /** Address of the main door; browsers' requests from any other origin are refused. */
  apiRoot: string
  /** Who holds the credential of an `Authorization` header, of the kind that this server knows. */
  authenticate: (authorization: string | undefined) => Promise<Actor | null>
  /** Hears that a credential was used: each request that is answered counts, also one that only asks for the tools. */
  onUse: (credentialId: string) => void
  /** The context of one call. */
  contextFor: (actor: Actor) => Context
  /** The number under which a request stands in the log. */
  referenceOf: (req: object) => string
  /** Where the metadata is by which a client without a credential can get one; none where it cannot. */
  resourceMetadata?: string
}

/** A request as Express hands it over. */
type HttpRequest = Parameters<RequestHandler>[0]

/**
 * A tool server over Streamable HTTP: one JSON-RPC message in a POST, one JSON answer, nothing kept between them
 * (contract: "Tool server for agents"; decisions 40 to 42). A stranger is refused before the body is read.
 */
export const toolDoor = (server: ToolServer, options: ToolDoorOptions): Router => {
  const prepared = prepareServer(options.router, server)
  const call = toolCaller(prepared.tools, options)
  const answerStateless = statelessLeg(prepared)
  const answerInitialized = initializedLeg(prepared)
  const { origin } = new URL(options.apiRoot)
  const limitOf = ({ operation: { meta } }: Tool) => meta.bodyLimit ?? limits.body
  // Somewhat more is read than any tool takes, so that too much of it is a result like every other failure.
  const bodyLimit = Math.max(...[...prepared.tools.values()].map(limitOf)) + 2 * ENVELOPE

  const admit = async (req: HttpRequest) => {
    if (req.method !== 'POST')
      throw new RpcError(codes.refused, 'Only POST is answered here', {
        status: 405,
        headers: { Allow: 'POST' },
      })
    if (req.headers.origin !== undefined && req.headers.origin !== origin)
      throw new RpcError(codes.refused, 'Requests from other web sites are not answered', { status: 403 })
    const actor = await options.authenticate(req.headers.authorization)
    const caller = actor && server.caller(actor)
    if (!actor || !caller) throw new Problem('unauthorized')
    if (!req.accepts('json'))
      throw new RpcError(codes.refused, 'Answers are JSON, which the request does not accept', {
        status: 406,
      })
    return { actor, caller }
  }

  const answer = async (
    req: HttpRequest,
    res: Response,
    onRate: (state: RateState) => void,
  ): Promise<Reply> => {
    const { actor, caller } = await admit(req)
    const { json, size } = await readJson(req, res, bodyLimit)
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
        ? await answerStateless(
            request,
            { version, method: header('mcp-method'), name: header('mcp-name') },
            callTool,
          )
        : await answerInitialized(request, callTool)
      options.onUse(caller.credentialId)
      return reply
    } catch (error) {
      if (error instanceof RpcError) return failed(request.id, error)
      throw error
    }
  }

  const serve = async (req: HttpRequest, res: Response): Promise<void> => {
    let rate: RateState | undefined
    try {
      const reply = await answer(req, res, state => {
        rate = state
      })
      sendReply(res, reply, { rate })
    } catch (error) {
      if (req.destroyed && !req.complete) return
      const refusal = refusalOf(error, { ...options, reference: options.referenceOf(req) })
      sendReply(res, failed(null, refusal), { rate, headers: refusal.headers })
    }
    drain(req)
  }

  const router = Router({ caseSensitive: true, strict: true })
  const byUrlAlone = options.resourceMetadata !== undefined
  router.get(server.path, servePage(server, prepared, { ...options, byUrlAlone }))
  router.all(server.path, serve)
  return router
}
