import type { IncomingMessage, ServerResponse } from 'node:http'
import { type RequestHandler, Router } from 'express'
import type { RateState } from '../../routers/api/context.ts'
import type { Identity } from '../../routers/api/identities.ts'
import { Problem } from '../../routers/api/problem.ts'
import { limits } from '../../routers/api/rules.ts'
import type { Body, ReadJson } from '../http/body.ts'
import { drain } from '../http/drain.ts'
import { LARGE } from '../http/receive-body.ts'
import { type CallState, type Run, readEarly } from '../operations/read-early.ts'
import { type Access, admit, isForeign, replyUnidentified } from './admit.ts'
import { type ExchangeOptions, prepareExchange } from './exchange.ts'
import { servePage } from './page.ts'
import { type Challenge, codes, failed, type Reply, RpcError, rpcErrorOf, sendReply } from './rpc.ts'
import type { ToolServer } from './servers.ts'

/** Dependencies of a tool server. */
export interface ToolServerOptions extends ExchangeOptions, Access {
  readJson: ReadJson
  /** Identifies the holder of the credential in an `Authorization` header. */
  identify: (authorization: string | undefined) => Identity
  /** How clients can request a credential. */
  challenge: Challenge
}

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
  const { apiRoot, readJson } = options
  let parts: ReturnType<typeof prepareExchange> | undefined
  const prepared = () => {
    parts ??= prepareExchange(server, options)
    return parts
  }
  const toolsFor = (scopes: readonly string[]) => prepared().prepared.listFor(scopes).tools.length

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
      const admitted = admit(req, holder, server, options, toolsFor)
      const { exchange, bodyLimit } = prepared()
      body ??= readJson(req, res, { limit: bodyLimit, caller: admitted.actor.accountId })
      return exchange(req, admitted, await body, {
        confirmed,
        onRate: rate => {
          state.rate = rate
        },
        ...counting,
      })
    }
    try {
      // If the whole body has arrived, a tool that only reads can run before the caller is confirmed. If the body has
      // not arrived, confirm the caller first, because the service should not wait for the body of an unconfirmed
      // caller. There is one exception: if the database is unavailable, `replyUnidentified` below waits for the body.
      const { reply, used } = await (isComplete && !isForeign(req, apiRoot)
        ? readEarly(identity, run, state)
        : run(await confirmed))
      used?.()
      return reply
    } catch (error) {
      if (await isFulfilled(confirmed)) throw error
      const caller = known && server.caller(known)
      const { bodyLimit, replyTo, refuse } = prepared()
      return replyUnidentified(error, req, {
        read: () => {
          body ??= readJson(
            req,
            res,
            caller
              ? { limit: bodyLimit, caller: caller.credentialId }
              : { limit: limits.anonymousBody, caller: req.socket.remoteAddress ?? 'unknown' },
          )
          return body
        },
        reply: (request, callTool) => replyTo(req, request, [], callTool),
        refuse: name =>
          refuse({ name, start }, error, {
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
    if (isForeign(req, apiRoot))
      for (const [name, value] of Object.entries(CROSS_ORIGIN)) res.setHeader(name, value)
    try {
      const reply = await handle(req, res, state)
      sendReply(res, reply, state.rate)
    } catch (error) {
      if (req.destroyed && !req.complete) return
      sendError(req, res, error, state.rate)
    }
    drain(req)
  }

  const url = apiRoot + server.path
  const router = Router({ caseSensitive: true, strict: true })
  let page: RequestHandler | undefined
  router.get(server.path, (req, res, next) => {
    page ??= servePage(server, prepared().prepared, options)
    return page(req, res, next)
  })
  router.options(server.path, (req, res, next) => {
    if (!isForeign(req, apiRoot)) return next()
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

const isFulfilled = (promise: Promise<unknown>): Promise<boolean> =>
  promise.then(
    () => true,
    () => false,
  )

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
