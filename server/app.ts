import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express'
import type { Logger } from 'pino'
import { isMigrated } from '../db/migrate.ts'
import { sqlOf } from '../db/orm.ts'
import { referenceDoor } from '../facades/docs/door.ts'
import { doorsOf } from '../facades/doors.ts'
import { agentsReferenceDoor } from '../facades/llms/door.ts'
import { mainDoor } from '../facades/main/main.ts'
import { toolDoor } from '../facades/mcp/door.ts'
import { toolServers } from '../facades/mcp/servers.ts'
import { oauthDoor } from '../facades/oauth/door.ts'
import { rest } from '../facades/rest/rest.ts'
import { siteDoors } from '../facades/site/site.ts'
import { trpcDoor } from '../facades/trpc.ts'
import { bearer, spaceKeyActor, userTokenActor } from '../routers/access/actor.ts'
import { sessionActor } from '../routers/access/session.ts'
import type { Actor } from '../routers/core/actor.ts'
import type { Context, Core } from '../routers/core/context.ts'
import type { Meta } from '../routers/core/trpc.ts'
import { oauthAddresses } from '../routers/credentials/oauth/addresses.ts'
import { appRouter } from '../routers/index.ts'
import { logRequests, referenceOf } from './log-requests.ts'

/**
 * All doors of the service on one HTTP server, told apart by host name and path.
 *
 * @param trustedProxies whose word on a caller's address is believed
 * @param liveScreen answers for the screen while that is being worked on
 */
export const createApp = (
  core: Core,
  log: Logger,
  trustedProxies: string[],
  liveScreen?: RequestHandler,
): Express => {
  const { addresses, orm } = core
  const contextFor = (actor: Actor | null): Context => ({ core, em: orm.em.fork(), actor })
  const onFault = (error: unknown, reference: string) => log.error({ err: error, reference }, 'fault')
  const sql = sqlOf(orm.em)

  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.enable('case sensitive routing')
  app.set('trust proxy', trustedProxies)
  app.use(logRequests(log))

  const doorOf = doorsOf(addresses)
  const content = siteDoors(core, onFault, referenceOf)
  app.use((req, res, next) => {
    const door = doorOf(req.hostname)
    if (door.kind === 'main') next()
    else void content(door, req, res)
  })

  app.get('/healthz', (_req, res) => void res.json({ status: 'ok' }))
  app.get('/readyz', (_req, res) => {
    isMigrated(orm).then(
      ready => res.status(ready ? 200 : 503).json({ status: ready ? 'ready' : 'migrating' }),
      () => res.status(503).json({ status: 'no database' }),
    )
  })

  // Each API knows its own kind of credential only.
  const authenticate = (api: Meta['api'], authorization: string | undefined) =>
    (api === 'user' ? userTokenActor : spaceKeyActor)(sql, bearer(authorization))

  const restDoor = rest({
    router: appRouter,
    docsUrl: addresses.docsUrl,
    authenticate: ({ meta }, authorization) => authenticate(meta.api, authorization),
    contextFor,
    onFault,
    referenceOf,
  })
  app.use('/v1', (req, res) => void restDoor(req, res))

  const { resourceMetadata } = oauthAddresses(addresses)
  for (const server of toolServers)
    app.use(
      toolDoor(server, {
        router: appRouter,
        apiRoot: addresses.apiRoot,
        docsUrl: addresses.docsUrl,
        authenticate: authorization => authenticate(server.api.name, authorization),
        onUse: credentialId => core.lastUsed.touch(credentialId, true),
        contextFor,
        onFault,
        referenceOf,
        // A person's token can be had by asking the person; a space's key cannot.
        ...(server.api.name === 'user' ? { resourceMetadata } : {}),
      }),
    )

  app.use(
    '/trpc',
    trpcDoor({
      router: appRouter,
      origin: new URL(addresses.apiRoot).origin,
      authenticate: token => sessionActor(sql, token),
      contextFor,
      onFault,
      referenceOf,
    }),
  )

  app.use(oauthDoor({ authenticate: token => sessionActor(sql, token), contextFor }))
  app.use(referenceDoor(appRouter, core))
  app.use(agentsReferenceDoor(appRouter, core))
  app.use(mainDoor(core, liveScreen))
  app.use(answerFaults(onFault))
  return app
}

/** The last resort of every door: what a browser sees of an error that none of them expected. */
const answerFaults =
  (onFault: (error: unknown, reference: string) => void): ErrorRequestHandler =>
  (error: unknown, req, res, _next) => {
    // Express refuses a malformed address by itself and gives the error a status.
    if (error instanceof URIError) return void res.status(400).type('text').send('The address is malformed\n')
    const reference = referenceOf(req)
    onFault(error, reference)
    if (res.headersSent) return void res.destroy()
    res.status(500).type('text').send(`Something broke on our side. Reference ${reference}\n`)
  }
