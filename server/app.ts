import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express'
import type { Logger } from 'pino'
import { isMigrated } from '../db/migrate.ts'
import { sqlOf } from '../db/orm.ts'
import { referenceHandler } from '../facades/docs/handler.ts'
import { bodyReader } from '../facades/http/body.ts'
import type { BodyBudget } from '../facades/http/body-budget.ts'
import { routeByHost } from '../facades/http/hosts.ts'
import { strictTransportSecurity } from '../facades/http/strict-transport.ts'
import { agentReferenceHandler } from '../facades/llms/handler.ts'
import { mainHandler } from '../facades/main/handler.ts'
import { toolServerHandler } from '../facades/mcp/handler.ts'
import { toolServers } from '../facades/mcp/servers.ts'
import { oauthHandler } from '../facades/oauth/handler.ts'
import { restHandler } from '../facades/rest/handler.ts'
import { contentHandler } from '../facades/site/handler.ts'
import { trpcHandler } from '../facades/trpc/handler.ts'
import { bearer, spaceKeyActor, userTokenActor } from '../routers/access/actor.ts'
import { sessionActor } from '../routers/access/browser-session.ts'
import type { Actor } from '../routers/core/actor.ts'
import type { Context, Core } from '../routers/core/context.ts'
import { problemOf } from '../routers/core/problem.ts'
import type { Meta } from '../routers/core/trpc.ts'
import { oauthAddresses } from '../routers/credentials/oauth/addresses.ts'
import { appRouter } from '../routers/index.ts'
import { logRequests, referenceOf } from './log-requests.ts'
import type { Settings } from './settings.ts'

/**
 * Mounts every facade on one Express application, by host name and path.
 *
 * @param settings the `X-Forwarded-*` headers of `trustedProxies` are trusted
 * @param bodies bounds the memory for request bodies
 * @param devDashboard serves the dashboard from source under `npm run dev`
 */
export const createApp = (
  core: Core,
  log: Logger,
  settings: Pick<Settings, 'trustedProxies'>,
  bodies: BodyBudget,
  devDashboard?: RequestHandler,
): Express => {
  const { addresses, orm } = core
  const contextFor = (actor: Actor | null): Context => ({ core, actor })
  const onFault = (error: unknown, reference: string) => log.error({ err: error, reference }, 'fault')
  const sql = sqlOf(orm)
  const readJson = bodyReader(bodies)

  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.enable('case sensitive routing')
  app.set('trust proxy', settings.trustedProxies)
  app.use(logRequests(log))

  const secureTransport = strictTransportSecurity(addresses)
  const hostRoute = routeByHost(addresses)
  const content = contentHandler(core, onFault, referenceOf)
  app.use((req, res, next) => {
    const route = hostRoute(req.hostname)
    secureTransport(route, res)
    if (route.kind === 'main') next()
    else void content(route, req, res)
  })

  app.get('/healthz', (_req, res) => void res.json({ status: 'ok' }))
  app.get('/readyz', (_req, res) => {
    const answer = (status: string) => void res.status(status === 'ready' ? 200 : 503).json({ status })
    if (!core.health.isDatabaseUp) return answer('no database')
    isMigrated(orm).then(
      migrated =>
        answer(!migrated ? 'migrating' : core.health.isWritable ? 'ready' : 'read-only: the disk is full'),
      () => answer('no database'),
    )
  })

  // Each API accepts only its own kind of credential.
  const authenticate = (api: Meta['api'], authorization: string | undefined) =>
    (api === 'user' ? userTokenActor : spaceKeyActor)(sql, bearer(authorization))

  const rest = restHandler({
    router: appRouter,
    docsUrl: addresses.docsUrl,
    readJson,
    authenticate: ({ meta }, authorization) => authenticate(meta.api, authorization),
    contextFor,
    onFault,
    referenceOf,
  })
  app.use('/v1', (req, res) => void rest(req, res))

  const { resourceMetadata } = oauthAddresses(addresses)
  for (const server of toolServers)
    app.use(
      toolServerHandler(server, {
        router: appRouter,
        apiRoot: addresses.apiRoot,
        readJson,
        docsUrl: addresses.docsUrl,
        authenticate: authorization => authenticate(server.api.name, authorization),
        onUse: credentialId => core.lastUsed.touch(credentialId, true),
        contextFor,
        onFault,
        referenceOf,
        // Clients can request a user token through OAuth. Space keys can only be created in the dashboard.
        ...(server.api.name === 'user' ? { resourceMetadata } : {}),
      }),
    )

  app.use(
    '/trpc',
    trpcHandler({
      router: appRouter,
      origin: new URL(addresses.apiRoot).origin,
      readJson,
      limiters: core.dashboardCalls,
      authenticate: token => sessionActor(sql, token),
      contextFor,
      onFault,
      referenceOf,
    }),
  )

  app.use(oauthHandler({ authenticate: token => sessionActor(sql, token), contextFor }))
  app.use(referenceHandler(appRouter, core))
  app.use(agentReferenceHandler(appRouter, core))
  app.use(mainHandler(core, devDashboard))
  app.use(answerFaults(onFault))
  return app
}

/** The last error handler: responds to errors that no facade handled. */
const answerFaults =
  (onFault: (error: unknown, reference: string) => void): ErrorRequestHandler =>
  (error: unknown, req, res, _next) => {
    // Express throws this for a path that cannot be decoded.
    if (error instanceof URIError)
      return void res.status(400).type('text').send('This address is malformed\n')
    const reference = referenceOf(req)
    const { problem, circumstances } = problemOf(error)
    if (problem !== 'unavailable') onFault(error, reference)
    if (res.headersSent) return void res.destroy()
    if (problem === 'unavailable') {
      res.status(503).set('Retry-After', String(circumstances.retryAfter)).type('text')
      return void res.send(`${circumstances.detail}\n`)
    }
    res.status(500).type('text').send(`Something went wrong on our side. Reference: ${reference}\n`)
  }
