import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RequestHandler } from 'express'
import type { Logger } from 'pino'
import { BodyBudget } from '../facades/http/body-budget.ts'
import { deleteAbandonedFiles } from '../facades/transfer/slots.ts'
import { addresses } from '../routers/api/addresses.ts'
import type { Core, Health } from '../routers/api/context.ts'
import { connectRateStore } from '../routers/api/rate-limit.ts'
import type { Renderer } from '../routers/api/renderer.ts'
import { createCore } from './core.ts'
import { connectDatabase } from './database/connect.ts'
import { watchContentServers } from './database/content-servers.ts'
import { connectFileStore } from './database/file-store.ts'
import { type LocatedDatabase, locateDatabase } from './database/locate.ts'
import { protectData } from './database/protect-data.ts'
import { watchDomains } from './domains/background.ts'
import { createApp } from './http/app.ts'
import { limitConnections } from './http/connections.ts'
import { createHttpServer } from './http/http-server.ts'
import { instanceOf } from './instance.ts'
import { Closing } from './lifecycle.ts'
import { carryOutWhenDue } from './schedules.ts'
import type { Settings } from './settings/settings.ts'
import { FailedWorkLog } from './telemetry/failed-work.ts'
import { type Gauges, startMetrics } from './telemetry/metrics.ts'
import { startTracing } from './telemetry/tracing.ts'
import { deliverWebhooks } from './webhooks.ts'

/** A running service. */
export interface Service {
  core: Core
  port: number
  /** The port of the metrics; undefined if they are off. */
  metricsPort: number | undefined
  /** Finishes open requests, refuses new ones, and closes everything. Idempotent. */
  stop(): Promise<void>
}

/** How long a step of stopping may take beyond the times that are set, in ms. */
const STOP_PATIENCE = 60_000

/** How long after startup the service builds documents that are seldom requested, in ms. */
const PREPARE_AFTER = 2_000

interface StartOptions {
  database?: Promise<LocatedDatabase>
  devDashboard?: RequestHandler | undefined
  renderer?: Renderer | undefined
}

/**
 * Starts the database, migrates it, and starts the renderer and the HTTP server.
 *
 * @param options `database`: the located database, which is released when the service stops; `devDashboard`: serves the
 *   dashboard from source under `npm run dev`; `renderer`: a running renderer to use, which the caller stops
 * @throws OperatorError, an error of the database driver, or a listen error such as EADDRINUSE
 */
export const startService = async (
  settings: Settings,
  log: Logger,
  { database: locating, devDashboard, renderer: sharedRenderer }: StartOptions = {},
): Promise<Service> => {
  const closing = new Closing(settings.stopDelay + settings.connections.stop + STOP_PATIENCE, step =>
    log.error({ step }, 'A step of stopping did not end in time'),
  )
  const { onStop } = closing
  try {
    let prepared: Promise<void> | undefined
    // When the service stops, the step that was registered last runs first. This step is registered first, so this
    // step runs last, after the server has closed. If `prepare` is still running, this step waits for `prepare`.
    onStop(() => prepared)
    const siteAddresses = addresses(settings)
    // Requests arrive only when the core exists.
    const domains = { subdomainOf: (host: string) => core.verifiedDomains.subdomainOf(host) }
    const tracing = settings.tracing && (await startTracing(settings.tracing, siteAddresses, domains, log))
    onStop(() => tracing?.stop())
    const located = await (locating ?? locateDatabase(settings, log, () => {}))
    onStop(() => located.stop())
    const database = await connectDatabase(located.location, settings, log, onStop, tracing?.traceQueries)
    const store = settings.redisUrl
      ? await connectRateStore(
          settings.redisUrl,
          err => log.warn({ err }, 'The rate limit store is unreachable; calls are counted in memory'),
          () => log.info('The rate limit store is available again; processes share their counts'),
        )
      : null
    onStop(() => store?.close())
    const contentServers = await watchContentServers(database.database, log, onStop)
    const fileStore = await connectFileStore(settings.fileStore, database.database, log, onStop)
    await deleteAbandonedFiles()
    const { disk, backups } = protectData(settings, log, onStop)
    const health: Health = {
      get isDatabaseUp() {
        return database.isUp
      },
      get isFileStoreUp() {
        return fileStore?.isUp
      },
      get isWritable() {
        return disk?.hasSpace ?? true
      },
      get isStopping() {
        return closing.hasBegun
      },
      get hasSharedLimits() {
        return store?.isUp
      },
      get missingContentServers() {
        return contentServers?.missing
      },
    }
    const failedWork = new FailedWorkLog(log)
    // What the functions return is created below.
    const gauges: Gauges = {
      ...database.gauges,
      renderer: () => core.renderer.load,
      connections: () => connections,
      bodyBytes: () => bodies.held,
      freeDisk: disk && (() => disk.free),
      backups,
      fileStore: fileStore ?? undefined,
      contentServers: contentServers ?? undefined,
      isDatabaseUp: () => health.isDatabaseUp,
      isWritable: () => health.isWritable,
    }
    const core = await createCore(
      {
        database: database.database,
        fileStore,
        addresses: siteAddresses,
        health,
        renderer: sharedRenderer,
        instance: instanceOf(settings, gauges, failedWork, log),
        onFailure: failedWork.onFailure,
      },
      store,
      settings,
      log,
      onStop,
    )
    await watchDomains(core, onStop)
    deliverWebhooks(core, onStop)
    carryOutWhenDue(core, onStop)
    const bodies = new BodyBudget(settings.bodyMemory)
    const { listener, isTrusted, prepare } = createApp(core, log, settings, bodies, devDashboard)
    const server = createHttpServer(tracing?.traceRequests(listener) ?? listener, core)
    const connections = limitConnections(server, settings.connections, address => isTrusted(address, 0))
    onStop(async () => {
      const count = await connections.stop()
      if (count > 0) log.warn({ count }, 'Connections were closed because their requests did not end in time')
    })
    // Requests that wait for changes end at once, so that a restart does not wait for them.
    onStop(() => core.revisions.stop())
    const metrics =
      settings.metricsPort === undefined
        ? undefined
        : await startMetrics(
            { host: settings.host, port: settings.metricsPort },
            siteAddresses,
            domains,
            gauges,
          )
    metrics?.observe(server)
    onStop(() => metrics?.stop())
    if (metrics || tracing)
      core.onCall = call => {
        metrics?.onCall(call)
        tracing?.onCall(call)
      }
    await listen(server, settings)
    // Start to probe only now: startup keeps the machine busy, which would delay the probes.
    database.watch()
    const preparing = setTimeout(() => {
      prepared = prepare().catch((error: unknown) => log.error({ err: error }, 'preparing failed'))
    }, PREPARE_AFTER).unref()
    onStop(() => clearTimeout(preparing))
    // This runs first, so that everything still works while the load balancer notices that this process is stopping.
    onStop(() => sleep(settings.stopDelay))
    return {
      core,
      port: (server.address() as AddressInfo).port,
      metricsPort: metrics?.port,
      stop: () => closing.close(),
    }
  } catch (error) {
    await closing.close()
    throw error
  }
}

const listen = (server: Server, { host, port }: Settings): Promise<Server> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => resolve(server))
  })
