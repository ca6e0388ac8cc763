import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import express, { type ErrorRequestHandler, type RequestHandler } from 'express'
import type { Logger } from 'pino'
import { packageHandler } from '../../facades/cli/handler.ts'
import { bodyReaders } from '../../facades/http/body.ts'
import type { BodyBudget } from '../../facades/http/body-budget.ts'
import { routeByHost } from '../../facades/http/hosts.ts'
import { strictTransportSecurity } from '../../facades/http/strict-transport.ts'
import { mainHandler } from '../../facades/main/handler.ts'
import { toolServerHandler } from '../../facades/mcp/handler.ts'
import { type ToolServer, toolServers } from '../../facades/mcp/servers.ts'
import { oauthHandler } from '../../facades/oauth/handler.ts'
import { scopesFor, toolsIn } from '../../facades/operations/list.ts'
import { restHandler } from '../../facades/rest/handler.ts'
import { contentHandler } from '../../facades/site/handler.ts'
import { transferHandler } from '../../facades/transfer/handler.ts'
import { trpcHandler } from '../../facades/trpc/handler.ts'
import { uploadHandler } from '../../facades/uploads/handler.ts'
import type { Actor } from '../../routers/api/actor.ts'
import { sessionActor } from '../../routers/api/browser-session.ts'
import type { Context, Core } from '../../routers/api/context.ts'
import { bearer, Identities, type Identity } from '../../routers/api/identities.ts'
import { problemOf } from '../../routers/api/problem.ts'
import { SafeRetries } from '../../routers/api/safe-retries.ts'
import { SPACE_SCOPES, USER_SCOPES } from '../../routers/api/scopes.ts'
import { hintOf, SECRET_PREFIXES } from '../../routers/api/secret.ts'
import type { Meta } from '../../routers/api/trpc.ts'
import {
  oauthAddresses,
  type ResourceName,
  type ToolServerName,
  worksAt,
} from '../../routers/credentials/oauth/addresses.ts'
import { appRouter } from '../../routers/index.ts'
import type { Settings } from '../settings/settings.ts'
import { logRequests, referenceOf } from '../telemetry/requests.ts'
import { VERSION } from '../version.ts'
import { answerAsk } from './ask.ts'
import { dispatcher } from './dispatch.ts'
import { addressOf, untrustedProxyWarning } from './forwarded.ts'
import { healthRoutes } from './health.ts'
import { referenceFor } from './reference.ts'

/** The request handlers of the process. */
interface App {
  listener: RequestListener
  /** Whether an address belongs to a trusted proxy. */
  isTrusted: (address: string, hop: number) => boolean
  /** Builds the documents that are otherwise built when they are first requested. */
  prepare: () => Promise<void>
}

/**
 * Mounts every facade by host name and path.
 *
 * @param settings `trustedProxies`: proxies whose `X-Forwarded-*` headers are trusted; `minFreeDisk`: bytes that
 *   archives leave free on the disk
 * @param bodies limits the memory for request bodies
 * @param devDashboard serves the dashboard from source under `npm run dev`
 */
export const createApp = (
  core: Core,
  log: Logger,
  settings: Pick<Settings, 'trustedProxies' | 'minFreeDisk'>,
  bodies: BodyBudget,
  devDashboard?: RequestHandler,
): App => {
  const { addresses, database } = core
  const contextFor = (actor: Actor | null): Context => ({ core, actor })
  const onFault = (error: unknown, reference: string) => log.error({ err: error, reference }, 'fault')
  const { readJson, readBytes } = bodyReaders(bodies)

  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.enable('case sensitive routing')
  app.set('trust proxy', settings.trustedProxies)
  const isTrusted = app.get('trust proxy fn') as App['isTrusted']

  app.use(healthRoutes(core, isTrusted))
  app.use(packageHandler(VERSION))

  const identities = new Identities(database)
  // Each API accepts only its own kind of credential.
  const identify = (
    api: Meta['api'],
    place: ResourceName | 'rest',
    authorization: string | undefined,
  ): Identity =>
    identities.identify(
      api === 'user' ? 'user_token' : 'space_key',
      bearer(authorization),
      holder => holder.kind === 'session' || holder.resource === null || worksAt(holder.resource, place),
    )

  const rest = restHandler({
    router: appRouter,
    baseUrl: `${addresses.apiRoot}/v1`,
    docsUrl: addresses.docsUrl,
    readJson,
    identify: ({ meta }, authorization) => identify(meta.api, 'rest', authorization),
    contextFor,
    retries: new SafeRetries(core),
    onFault,
    referenceOf,
  })

  const { resources } = oauthAddresses(addresses)
  const tools = toolsIn(appRouter)
  const scopesOf = ({ api, offers }: ToolServer) =>
    scopesFor(
      tools.filter(tool => tool.meta.api === api.name && offers(tool)),
      api.name === 'user' ? USER_SCOPES : SPACE_SCOPES,
    )
  const scopesOfServers = Object.fromEntries(
    toolServers.map(server => [server.resource, scopesOf(server)]),
  ) as Record<ToolServerName, string[]>
  const toolScopes: Record<ResourceName, readonly string[]> = { ...scopesOfServers, transfer: SPACE_SCOPES }
  const servers = new Map(
    toolServers.map(server => {
      const handler = toolServerHandler(server, {
        router: appRouter,
        apiRoot: addresses.apiRoot,
        readJson,
        docsUrl: addresses.docsUrl,
        identify: authorization => identify(server.api.name, server.resource, authorization),
        onUse: (credentialId, use) => core.lastUsed.touch(credentialId, use),
        onRefused: authorization => {
          const secret = bearer(authorization)
          if (secret?.startsWith(SECRET_PREFIXES.space_key)) core.lastUsed.refuse(hintOf(secret))
        },
        contextFor,
        onFault,
        referenceOf,
        challenge: {
          resourceMetadata: resources[server.resource].metadata,
          scopes: scopesOfServers[server.resource],
        },
      })
      app.use(handler.pages)
      return [server.path, handler] as const
    }),
  )

  app.use(
    '/trpc',
    trpcHandler({
      router: appRouter,
      origin: new URL(addresses.apiRoot).origin,
      readJson,
      limiters: core.dashboardCalls,
      authenticate: token => sessionActor(database, token),
      contextFor,
      onFault,
      referenceOf,
    }),
  )

  app.use(
    transferHandler({
      router: appRouter,
      origin: new URL(addresses.apiRoot).origin,
      docsUrl: addresses.docsUrl,
      readJson,
      limiter: core.dashboardCalls.accounts,
      authenticate: token => sessionActor(database, token),
      identify: authorization => identify('space', 'transfer', authorization).confirmed,
      contextFor,
      onFault,
      referenceOf,
      minFreeDisk: settings.minFreeDisk,
    }),
  )

  app.use(
    uploadHandler({
      router: appRouter,
      origin: new URL(addresses.apiRoot).origin,
      docsUrl: addresses.docsUrl,
      readBytes,
      contextFor,
      onFault,
      referenceOf,
    }),
  )

  app.use(
    oauthHandler({
      authenticate: token => sessionActor(database, token),
      contextFor,
      toolScopes,
    }),
  )
  const reference = referenceFor(core)
  app.use(reference.handler)
  app.use(
    mainHandler(
      { authenticate: token => sessionActor(database, token), contextFor, referenceOf },
      devDashboard,
    ),
  )
  const answerFault = faultHandler(onFault)
  app.use(((error, req, res, _next) => answerFault(error, req, res)) satisfies ErrorRequestHandler)
  const logRequest = logRequests(log)
  const warnOfProxy = untrustedProxyWarning(isTrusted, message => log.warn(message))
  const listener = dispatcher({
    log: (req, res) => {
      warnOfProxy(req)
      logRequest(req, res)
    },
    referenceOf,
    hostRoute: routeByHost(addresses, core.verifiedDomains),
    ask: answerAsk(core.verifiedDomains, isTrusted),
    secureTransport: strictTransportSecurity(addresses),
    isTrusted,
    content: contentHandler(core, onFault, referenceOf, req => addressOf(req, isTrusted)),
    rest,
    tools: servers,
    others: app,
    onFault: answerFault,
  })
  const prepare = async () => {
    for (const server of servers.values()) server.prepare()
    await reference.prepare()
  }
  return { listener, isTrusted, prepare }
}

/** Responds to errors that no facade handled. */
const faultHandler =
  (onFault: (error: unknown, reference: string) => void) =>
  (error: unknown, req: IncomingMessage, res: ServerResponse): void => {
    const send = (status: number, text: string, headers: Record<string, string> = {}) => {
      res.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', ...headers }).end(`${text}\n`)
    }
    // Express throws this for a path that cannot be decoded.
    if (error instanceof URIError) {
      send(400, 'This address is malformed')
      return
    }
    const reference = referenceOf(req)
    const { problem, circumstances } = problemOf(error)
    if (problem !== 'unavailable') onFault(error, reference)
    if (res.headersSent) return void res.destroy()
    if (problem === 'unavailable')
      send(503, circumstances.detail ?? '', { 'Retry-After': String(circumstances.retryAfter) })
    else send(500, `Something went wrong on our side. Reference: ${reference}`)
  }
