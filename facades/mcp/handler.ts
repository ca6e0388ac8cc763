import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AnyTRPCRouter } from '@trpc/server'
import { Router } from 'express'
import { type Actor, isConnected } from '../../routers/api/actor.ts'
import type { Context, LastUsed, RateState } from '../../routers/api/context.ts'
import type { ErrorCode } from '../../routers/api/errors.ts'
import type { Identity } from '../../routers/api/identities.ts'
import { Problem } from '../../routers/api/problem.ts'
import { limits } from '../../routers/api/rules.ts'
import type { Body, ReadJson } from '../http/body.ts'
import { drain } from '../http/drain.ts'
import { LARGE } from '../http/receive-body.ts'
import { type CallState, type Run, readEarly } from '../operations/read-early.ts'
import { agentName, nameInRequest } from './agent-name.ts'
import { type CallOptions, ENVELOPE, toolCaller } from './call.ts'
import { handshakeProtocol } from './handshake.ts'
import { measured } from './measure.ts'
import { servePage } from './page.ts'
import { prepareServer } from './prepare-server.ts'
import { requireJsonAccepted } from './require-json.ts'
import type { JsonPieces } from './result-json.ts'
import { ACCEPTED, codes, failed, type Reply, type Request, RpcError, requestFrom } from './rpc.ts'
import { type Challenge, retryHeaders, rpcErrorOf } from './rpc-error.ts'
import { sendReply } from './send-reply.ts'
import type { ToolServer } from './servers.ts'
import { statelessProtocol } from './stateless.ts'
import type { Tool } from './tools.ts'
import { replyUnidentified } from './unidentified.ts'
import { isStateless } from './versions.ts'

type AgentUse = NonNullable<Parameters<LastUsed['touch']>[1]>

/** Dependencies of a tool server. */
export interface ToolServerOptions extends CallOptions {
  router: AnyTRPCRouter
  readJson: ReadJson
  /** Address of the main site. Browser requests from other origins may use only the credentials of connected apps. */
  apiRoot: string
  /** Identifies the holder of the credential in an `Authorization` header. */
  identify: (authorization: string | undefined) => Identity
  /** Called after every request of a caller with a valid credential, `tools/list` included. */
  onUse: (credentialId: string, use: AgentUse) => void
  /** Called with an `Authorization` header that has no valid credential. */
  onRefused: (authorization: string) => void
  /** Creates the context of one call. `actor` is null if the caller cannot be identified. */
  contextFor: (actor: Actor | null) => Context
  /** Returns the id of a request in the log. */
  referenceOf: (req: object) => string
  /** How clients can request a credential. */
  challenge: Challenge
}

/** Errors of tool calls that concern the caller's access. */
const ACCESS_ERRORS: ReadonlySet<ErrorCode> = new Set(['insufficient_scope', 'rate_limited'])

/** Methods that agents call when they connect. */
const CONNECTING: ReadonlySet<string> = new Set(['initialize', 'server/discover', 'tools/list'])

/** Headers of every response to another origin. */
const CROSS_ORIGIN = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'WWW-Authenticate, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, X-Request-Id',
}

/** Headers of the response to a preflight request. Lists Authorization, because `*` does not include it. */
const PREFLIGHT = {
  'Access-Control-Allow-Methods': 'POST',
  'Access-Control-Allow-Headers': '*, Authorization',
  'Access-Control-Max-Age': '3600',
}

/** A tool server's handlers. */
export interface ToolServerHandler {
  /**
   * Handles requests to the server's path, except GET and OPTIONS. Replies to the message in a POST request,
   * and refuses all other methods.
   */
  serve: (req: IncomingMessage, res: ServerResponse) => Promise<void>
  /** Handles GET and OPTIONS requests to the server's path: the page for browsers, and preflight requests. */
  pages: Router
  /** Builds the message handlers, so that the first request does not wait for them. */
  prepare: () => unknown
}

/**
 * A stateless tool server over Streamable HTTP: each POST carries one JSON-RPC message and gets one JSON response
 * (contract: "Tool server for agents"). Unauthenticated callers are refused before the body is read.
 */
export const toolServerHandler = (server: ToolServer, options: ToolServerOptions): ToolServerHandler => {
  const { origin } = new URL(options.apiRoot)
  let parts: ReturnType<typeof prepareHandling> | undefined
  const prepared = () => {
    parts ??= prepareHandling(server, options)
    return parts
  }

  const isForeign = (req: IncomingMessage) =>
    req.headers.origin !== undefined && req.headers.origin !== origin

  const admit = (req: IncomingMessage, actor: Actor | null) => {
    const caller = actor && server.caller(actor)
    if (!actor || !caller) {
      if (req.headers.authorization !== undefined) options.onRefused(req.headers.authorization)
      throw new Problem('unauthorized')
    }
    const scopes = actor.kind === 'session' ? [] : actor.scopes
    const onUse = (use: Partial<AgentUse>) =>
      options.onUse(caller.credentialId, {
        name: null,
        problem: null,
        isConnecting: false,
        ...use,
        tools: prepared().listFor(scopes).tools.length,
      })
    if (isForeign(req) && !isConnected(actor)) {
      onUse({ problem: 'foreign_origin' })
      throw new RpcError(
        codes.refused,
        'Requests from other websites are refused, except those of apps that were connected through OAuth',
        { status: 403 },
      )
    }
    requireJsonAccepted(req)
    return { actor, caller, scopes, onUse }
  }

  /** Handles a request with the protocol that its client uses. */
  const replyTo = (
    req: IncomingMessage,
    request: Request,
    scopes: readonly string[],
    callTool: () => Promise<JsonPieces>,
  ): Reply | Promise<Reply> => {
    const { stateless, handshake } = prepared()
    const version = headerOf(req, 'mcp-protocol-version')
    if (!isStateless(request, version)) return handshake(request, scopes, callTool)
    const [method, name] = [headerOf(req, 'mcp-method'), headerOf(req, 'mcp-name')]
    return stateless(request, { version, method, name }, scopes, callTool)
  }

  const handle = async (req: IncomingMessage, res: ServerResponse, state: CallState): Promise<Reply> => {
    if (req.method !== 'POST')
      throw new RpcError(codes.refused, 'Only POST is allowed', { status: 405, headers: { Allow: 'POST' } })
    const start = performance.now()
    // Call `hasArrived` before `identify`. Each schedules a callback for the end of this turn of the event loop. The
    // callback of `hasArrived` runs first and starts the tool call. Then the callback of `identify` sends the statement
    // that confirms the caller, together with the statements of the tool call.
    const arrival = hasArrived(req)
    const identity = options.identify(req.headers.authorization)
    const { known, confirmed } = identity
    // Nothing awaits `confirmed` before the body has arrived, and an unhandled rejection would end the process.
    confirmed.catch(() => {})
    const isComplete = await arrival
    let body: Promise<Body> | undefined
    const run: Run<{ reply: Reply; used?: () => void }> = async (holder, counting) => {
      const { actor, caller, scopes, onUse } = admit(req, holder)
      const { call, isRead, bodyLimit } = prepared()
      body ??= options.readJson(req, res, { limit: bodyLimit, caller: actor.accountId })
      const { json, size } = await body
      const request = requestFrom(json)
      if (!request) return { reply: ACCEPTED }
      let failure: Problem | undefined
      const ctx: Context = {
        ...options.contextFor(actor),
        path: caller.path,
        onRate: rate => {
          state.rate = rate
        },
        ...counting,
      }
      const version = headerOf(req, 'mcp-protocol-version')
      const { name } = request.params
      const callTool = () =>
        call(
          { name, arguments: request.params.arguments, size },
          {
            ctx,
            agent: () =>
              agentName(
                request,
                isStateless(request, version) ? undefined : connectedAgent(ctx, actor, caller.credentialId),
                headerOf(req, 'user-agent'),
              ),
            credentialId: caller.credentialId,
            reference: options.referenceOf(req),
            onFailure: problem => {
              failure = problem
            },
          },
        )
      // Reads may start before the caller is confirmed; writes wait here. If the confirmed caller differs from the
      // remembered one, this attempt fails, and `readEarly` handles the message again.
      const callConfirmed = async () => {
        if ((await confirmed) !== actor) throw new Problem('unauthorized')
        return callTool()
      }
      try {
        const reply = await measured(request.method, ctx.core.onCall, () =>
          replyTo(req, request, scopes, isRead(name) ? callTool : callConfirmed),
        )
        const used = () =>
          onUse({
            name: nameInRequest(request) ?? null,
            problem: failure && ACCESS_ERRORS.has(failure.problem) ? failure.problem : null,
            isConnecting: CONNECTING.has(request.method),
          })
        return { reply: { ...reply, headers: failure && retryHeaders(failure) }, used }
      } catch (error) {
        if (error instanceof RpcError) return { reply: failed(request.id, error) }
        throw error
      }
    }
    try {
      // If the whole body has arrived, a tool that only reads can run before the caller is confirmed. If the body has
      // not arrived, confirm the caller first, because the service should not wait for the body of an unconfirmed
      // caller. There is one exception: if the database is unavailable, `replyUnidentified` below waits for the body.
      const { reply, used } = await (isComplete && !isForeign(req)
        ? readEarly(identity, run, state)
        : run(await confirmed))
      used?.()
      return reply
    } catch (error) {
      if (await isFulfilled(confirmed)) throw error
      const caller = known && server.caller(known)
      return replyUnidentified(error, req, {
        read: () => {
          body ??= options.readJson(
            req,
            res,
            caller
              ? { limit: prepared().bodyLimit, caller: caller.credentialId }
              : { limit: limits.anonymousBody, caller: req.socket.remoteAddress ?? 'unknown' },
          )
          return body
        },
        reply: (request, callTool) => replyTo(req, request, [], callTool),
        refuse: name =>
          prepared().refuse({ name, start }, error, {
            ctx: options.contextFor(null),
            reference: options.referenceOf(req),
          }),
      })
    }
  }

  const sendError = (req: IncomingMessage, res: ServerResponse, error: unknown, rate?: RateState) => {
    const rpcError = rpcErrorOf(error, { ...options, reference: options.referenceOf(req) })
    sendReply(res, failed(rpcError.id, rpcError), rate)
  }

  const serve = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const state: CallState = { rate: undefined }
    // Lets clients that run in a browser read the response. Other sites gain nothing: credentials are never cookies, so
    // browsers do not add them to the requests of those sites.
    if (isForeign(req)) for (const [name, value] of Object.entries(CROSS_ORIGIN)) res.setHeader(name, value)
    try {
      const reply = await handle(req, res, state)
      sendReply(res, reply, state.rate)
    } catch (error) {
      if (req.destroyed && !req.complete) return
      sendError(req, res, error, state.rate)
    }
    drain(req)
  }

  const url = options.apiRoot + server.path
  const router = Router({ caseSensitive: true, strict: true })
  router.get(server.path, (req, res, next) => prepared().page(req, res, next))
  router.options(server.path, (req, res, next) => {
    if (!isForeign(req)) return next()
    res
      .status(204)
      .set({ ...CROSS_ORIGIN, ...PREFLIGHT })
      .end()
  })
  router.all(server.path, serve)
  router.post(`${server.path}/`, (req, res) => {
    sendError(
      req,
      res,
      new Problem('not_found', { detail: `The tool server is at ${url}, without a trailing slash.` }),
    )
    drain(req)
  })
  return { serve, pages: router, prepare: prepared }
}

/** Returns the name of the agent that last connected with a credential, to this process or to another one. */
const connectedAgent = ({ core }: Context, actor: Actor, credentialId: string): string | undefined =>
  core.lastUsed.recentAgent(credentialId) ??
  (actor.kind === 'session' ? undefined : (actor.agentName ?? undefined))

const isFulfilled = (promise: Promise<unknown>): Promise<boolean> =>
  promise.then(
    () => true,
    () => false,
  )

const headerOf = ({ headers }: IncomingMessage, name: string): string | undefined =>
  (headers[name] as string | undefined)?.trim()

let arrived: Promise<void> | undefined

/** Resolves when the data that has arrived is parsed. All requests of a turn of the event loop share one promise. */
const dataParsed = (): Promise<void> => {
  arrived ??= new Promise(resolve => {
    setImmediate(() => {
      arrived = undefined
      resolve()
    })
  })
  return arrived
}

/** Whether the whole body of a request has arrived together with its headers. */
const hasArrived = async (req: IncomingMessage): Promise<boolean> => {
  // Node.js emits the request once it has parsed the headers, before it parses the body that arrived with them.
  await dataParsed()
  return req.complete && req.readableLength <= LARGE
}

/** Builds the message handlers of a server, which takes about 100 ms. */
const prepareHandling = (server: ToolServer, options: ToolServerOptions) => {
  const prepared = prepareServer(options.router, server)
  const limitOf = ({ operation: { meta } }: Tool) => meta.bodyLimit ?? limits.body
  return {
    ...toolCaller(prepared.tools, options),
    /** Whether a tool only reads; false for an unknown tool. */
    isRead: (name: unknown) =>
      typeof name === 'string' && prepared.tools.get(name)?.operation.type === 'query',
    stateless: statelessProtocol(prepared),
    handshake: handshakeProtocol(prepared),
    page: servePage(server, prepared, options),
    listFor: prepared.listFor,
    // Higher than the limit of every tool, so that slightly oversized arguments are reported in a tool result, like
    // other errors.
    bodyLimit: Math.max(...[...prepared.tools.values()].map(limitOf)) + 2 * ENVELOPE,
  }
}
