import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { resolveResponse, type TRPCRequestInfo } from '@trpc/server/http'
import type { Request, RequestHandler, Response } from 'express'
import { type Actor, callerOf } from '../../routers/api/actor.ts'
import type { Context, RateLimiter } from '../../routers/api/context.ts'
import { Problem, problemOf } from '../../routers/api/problem.ts'
import { countCalls } from '../../routers/api/refusals.ts'
import { limits } from '../../routers/api/rules.ts'
import { PING_EVERY } from '../../routers/api/trpc.ts'
import type { AppRouter } from '../../routers/index.ts'
import type { ReadJson } from '../http/body.ts'
import { isCrossSite } from '../http/cross-site.ts'
import { drain } from '../http/drain.ts'
import { sendText } from '../http/send-text.ts'
import { signInCookies } from '../http/sign-in-cookies.ts'
import { definitionOf } from '../operations/invoke.ts'
import { MAX_BATCH } from '../shared/dashboard.ts'

/** Dependencies of the tRPC handler. */
export interface TrpcOptions {
  router: AppRouter
  /** Origin of the dashboard; requests from other origins are refused. */
  origin: string
  readJson: ReadJson
  /**
   * `accounts` counts the calls of each account. `anonymous` counts the calls without a session, for each network
   * address.
   */
  limiters: { anonymous: RateLimiter; accounts: RateLimiter }
  authenticate: (sessionToken: string | undefined) => Promise<Actor | null>
  contextFor: (actor: Actor | null) => Context
  onFault: (error: unknown, reference: string) => void
  referenceOf: (req: Request) => string
}

/** Typed calls of the dashboard, authenticated by the session cookie. Keys and tokens are not accepted. */
export const trpcHandler = (options: TrpcOptions): RequestHandler => {
  const cookies = signInCookies(options.origin)

  const contextOf = async (req: Request, res: Response, calls: number): Promise<Context> => {
    if (isCrossSite(req, options.origin))
      throw new Problem('cross_site_request', { detail: `The dashboard works only at ${options.origin}.` })
    const actor = await options.authenticate(cookies.session(req))
    const context = options.contextFor(actor)
    const { accounts, anonymous } = options.limiters
    if (actor) await countCalls(accounts, context, callerOf(actor), calls)
    else await countCalls(anonymous, context, req.ip ?? 'unknown', calls)
    return {
      ...context,
      reference: options.referenceOf(req),
      ...cookies.contextOf(req, res),
    }
  }

  const respond = async (req: Request, res: Response, signal: AbortSignal): Promise<globalThis.Response> => {
    let context: Context | undefined
    let info: TRPCRequestInfo | undefined
    const request = webRequest(req, signal, async () => {
      const actor = context?.actor ?? null
      const caller = actor ? callerOf(actor) : (req.ip ?? 'unknown')
      const limit = actor ? bodyLimitOf(info?.calls ?? []) : limits.anonymousBody
      return (await options.readJson(req, res, { limit, caller })).json
    })
    let retryAfter: number | undefined
    return resolveResponse({
      router: options.router,
      req: request,
      path: req.path.slice(1),
      maxBatchSize: MAX_BATCH,
      error: null,
      createContext: async given => {
        info = given.info
        context = await contextOf(req, res, given.info.calls.length)
        return context
      },
      responseMeta: ({ errors }) => ({
        // By default, tRPC responds with 500 to database errors that no procedure converted.
        ...(errors.length >= (info?.calls.length ?? 1) && errors.every(isUnavailable) ? { status: 503 } : {}),
        headers: new Headers({
          'cache-control': 'no-store',
          ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
        }),
      }),
      onError: ({ error, ctx }) => {
        const problem = problemOf(error)
        retryAfter = problem.circumstances.retryAfter ?? retryAfter
        if (problem.problem === 'internal_error')
          options.onFault(problem.cause ?? problem, ctx?.reference ?? 'unknown')
      },
    })
  }

  return async (req, res, next) => {
    const left = new AbortController()
    res.once('close', () => left.abort())
    try {
      const response = await respond(req, res, left.signal)
      if (response.headers.get('content-type')?.startsWith(EVENTS)) return await sendEvents(res, response)
      const text = await response.text()
      if (req.destroyed && !req.complete) return
      res.status(response.status)
      response.headers.forEach((value, name) => void res.append(name, value))
      // Results of reads contain no credentials, so they may be compressed. Results of writes can contain credentials.
      if (req.method === 'GET') sendText(res, text)
      else res.end(text)
      drain(req)
    } catch (error) {
      next(error)
    }
  }
}

/** The content type of a stream of events. */
const EVENTS = 'text/event-stream'

/** A connection with a stream that sends nothing for this long is closed, in ms. */
const STREAM_IDLE = 3 * PING_EVERY

/** Sends the events of a subscription as they happen, no faster than the client reads them. */
const sendEvents = async (res: Response, { status, headers, body }: globalThis.Response): Promise<void> => {
  res.status(status)
  // Node.js decides about the connection.
  headers.forEach((value, name) => void (name !== 'connection' && res.append(name, value)))
  // The connection can be idle for longer than others, because it only sends something now and then.
  res.socket?.setTimeout(STREAM_IDLE)
  res.flushHeaders()
  for await (const chunk of body ?? []) {
    if (res.destroyed) return
    if (!res.write(chunk)) await Promise.race([once(res, 'drain'), once(res, 'close')])
  }
  res.end()
}

const isUnavailable = (error: unknown) => problemOf(error).problem === 'unavailable'

/** Returns the highest body limit of the calls. */
const bodyLimitOf = (calls: TRPCRequestInfo['calls']): number =>
  Math.max(
    limits.body,
    ...calls.map(({ procedure }) => (procedure && definitionOf(procedure).meta?.bodyLimit) ?? 0),
  )

/**
 * Converts a request to the form that tRPC expects. Leaves out `Accept`, so that tRPC responds with complete JSON
 * instead of a stream.
 */
const webRequest = (
  req: IncomingMessage,
  signal: AbortSignal,
  json: () => Promise<unknown>,
): globalThis.Request => {
  const lastEventId = req.headers['last-event-id']
  const request = new globalThis.Request(`http://dashboard${req.url ?? '/'}`, {
    method: req.method ?? 'GET',
    headers: {
      'content-type': req.headers['content-type'] ?? '',
      // With this header, browsers resume a stream of events.
      ...(typeof lastEventId === 'string' ? { 'last-event-id': lastEventId } : {}),
    },
    signal,
  })
  // tRPC calls `json` when the first procedure asks for its input. By then, the procedure has checked the caller.
  return Object.defineProperty(request, 'json', { value: json })
}
