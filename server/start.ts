import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RequestHandler } from 'express'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { type DatabaseHealth, OpenConnections, watchDatabase } from '../db/health.ts'
import { migrate } from '../db/migrate.ts'
import { clientConfig, openDatabase, sqlOf } from '../db/orm.ts'
import { countAuditEvents } from '../db/queries/audit.ts'
import { recordCredentialUses, recordRefusals } from '../db/queries/credential-uses.ts'
import { ReadLane } from '../db/read-lane.ts'
import { setStatementRunner } from '../db/statements.ts'
import { inTransaction } from '../db/transaction.ts'
import { BodyBudget } from '../facades/http/body-budget.ts'
import { fileFetcher } from '../facades/http/file-fetcher.ts'
import { documentFetcher } from '../facades/oauth/fetch-document.ts'
import { countedEvents } from '../routers/access/counted-events.ts'
import { lastUsed } from '../routers/access/last-used.ts'
import { connectRateStore, networkRateLimiter, rateLimiter } from '../routers/access/rate-limit.ts'
import { trimAudit } from '../routers/accounts/audit/trim.ts'
import { trimDrafts } from '../routers/content/drafts/trim.ts'
import { FETCHES } from '../routers/content/files/fetch-foreign.ts'
import { startRetention } from '../routers/content/history/retention.ts'
import { addresses } from '../routers/core/addresses.ts'
import type { Core } from '../routers/core/context.ts'
import { FairQueue } from '../routers/core/fair-queue.ts'
import type { Renderer } from '../routers/core/renderer.ts'
import { limits } from '../routers/core/rules.ts'
import { clientDocuments } from '../routers/credentials/oauth/client-documents.ts'
import { startRenderer } from '../routers/liquid/renderer.ts'
import { postHistoryTrimmer } from '../routers/social/posts/history/trim.ts'
import { startMarkdownConverter } from '../routers/social/posts/markdown/converter.ts'
import { createApp } from './app.ts'
import { limitConnections } from './connections.ts'
import { watchDisk } from './disk-watch.ts'
import { createHttpServer } from './http-server.ts'
import { type LocatedDatabase, locateDatabase } from './locate-database.ts'
import { type Metrics, startMetrics } from './metrics.ts'
import { repeat } from './repeat.ts'
import { scheduleBackups } from './scheduled-backups.ts'
import type { Settings } from './settings.ts'
import { startTracing } from './tracing.ts'

/** A running service. */
export interface Service {
  core: Core
  port: number
  /** The port of the metrics; undefined if they are off. */
  metricsPort: number | undefined
  /** Finishes open requests, refuses new ones, and closes everything. Idempotent. */
  stop(): Promise<void>
}

/**
 * Limits on new accounts and passkey challenges per window. `seconds` is the window's length, also for sign-in
 * attempts.
 */
const ATTEMPTS = { signUps: 100, challenges: 300, seconds: 15 * 60 }

/**
 * Limit on the sign-in attempts of all networks together, as a multiple of the limit for one network. Attempts beyond
 * the limit are slowed down.
 */
const ALL_NETWORKS = 10

/**
 * Limit on post previews per person and minute. The dashboard requests a preview at each pause in typing, and people
 * pause less often than this.
 */
const PREVIEWS_PER_MINUTE = 120

/**
 * How long an agent's write waits for the review of what it has saved, in ms. The write succeeds even without the
 * review.
 */
const REVIEW_PATIENCE = 2_500

/** Interval at which old drafts and audit events are deleted, in ms. */
const TRIM_EVERY = 10 * 60_000

/** Interval at which the history of posts is trimmed, in ms. */
const TRIM_POST_HISTORY_EVERY = 10_000

/** Time in ms after startup at which documents that few requests need are built. */
const PREPARE_AFTER = 2_000

/** Limits on client registrations and metadata look-ups per network address, and their window in seconds. */
const CLIENTS = { registrations: 60, lookups: 60, seconds: 15 * 60 }

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
 * @throws EmbeddedPostgresError, an error of the database driver, or a listen error such as EADDRINUSE
 */
export const startService = async (
  settings: Settings,
  log: Logger,
  { database: locating, devDashboard, renderer: sharedRenderer }: StartOptions = {},
): Promise<Service> => {
  const closing: (() => unknown)[] = []
  let isStopping = false
  const close = async () => {
    isStopping = true
    for (const step of closing.splice(0).toReversed()) await step()
  }
  try {
    const siteAddresses = addresses(settings)
    const tracing = settings.tracing && (await startTracing(settings.tracing, siteAddresses, log))
    closing.push(() => tracing?.stop())
    const database = await (locating ?? locateDatabase(settings, log, () => {}))
    closing.push(() => database.stop())
    const databaseConnections = new OpenConnections(tracing?.traceQueries)
    const pools: Pool[] = []
    const orm = await openDatabase(database.location, {
      poolSize: settings.databasePool,
      namesStatements: settings.preparedStatements,
      onLog: line => log.debug({ line }, 'orm'),
      onPool: pool => {
        pools.push(pool)
        databaseConnections.follow(pool)
      },
    })
    closing.push(() => orm.close())
    const applied = await migrate(orm)
    if (applied.length > 0)
      log.info({ count: applied.length, latest: applied.at(-1) }, 'Applied database migrations')
    const lane = new ReadLane(
      clientConfig(database.location),
      databaseConnections,
      settings.preparedStatements,
    )
    closing.push(() => lane.close())
    setStatementRunner(sqlOf(orm), (...statement) => lane.query(...statement))
    let databaseHealth: DatabaseHealth | undefined
    closing.push(() => databaseHealth?.stop())
    // A database at DATABASE_URL may be on a disk that this process cannot see.
    const disk = settings.databaseUrl
      ? null
      : watchDisk(settings.dataFolder, settings.minFreeDisk, (hasSpace, free) =>
          log[hasSpace ? 'info' : 'error'](
            { free },
            hasSpace ? 'The disk has space again' : 'The disk is almost full; writes are refused',
          ),
        )
    closing.push(() => disk?.stop())

    const { backups: schedule, dataFolder, minFreeDisk } = settings
    const backups =
      settings.databaseUrl || schedule.everyHours === 0
        ? undefined
        : scheduleBackups({ ...schedule, dataFolder, minFreeDisk, log })
    closing.push(() => backups?.stop())

    const store = settings.redisUrl
      ? await connectRateStore(settings.redisUrl, err =>
          log.warn({ err }, 'The rate limit store is unreachable; calls are counted in memory'),
        )
      : null
    closing.push(() => store?.close())
    const uses = lastUsed(
      {
        write: batch => inTransaction(orm, sql => recordCredentialUses(sql, batch)),
        refuse: async hints => void (await inTransaction(orm, sql => recordRefusals(sql, hints, new Date()))),
      },
      err => log.warn({ err }, 'Could not save when keys and tokens were last used'),
    )
    closing.push(() => uses.flush())
    const retention = startRetention(orm, settings.history, err =>
      log.warn({ err }, 'Could not delete old changes of spaces'),
    )
    closing.push(() => retention.stop())
    const trimming = [
      repeat(
        TRIM_EVERY,
        () => trimDrafts(orm),
        err => log.warn({ err }, 'Could not delete old drafts'),
      ),
      repeat(
        TRIM_EVERY,
        () => trimAudit(orm),
        err => log.warn({ err }, 'Could not delete old audit events'),
      ),
      repeat(TRIM_POST_HISTORY_EVERY, postHistoryTrimmer(orm, settings.postHistory), err =>
        log.warn({ err }, 'Could not delete old changes of posts'),
      ),
    ]
    closing.push(() => Promise.all(trimming.map(({ stop }) => stop())))
    const counted = countedEvents(
      batch => countAuditEvents(sqlOf(orm), batch),
      err => log.warn({ err }, 'Could not count refused calls'),
    )
    closing.push(() => counted.flush())
    const renderer = sharedRenderer ?? startRenderer({ processes: settings.renderProcesses, log })
    if (!sharedRenderer) closing.push(() => renderer.stop())
    const markdown = startMarkdownConverter(settings.markdownQueue)
    closing.push(() => markdown.stop())

    const { perAccount, perClient } = settings.signInAttempts
    const core: Core = {
      orm,
      addresses: siteAddresses,
      signUp: settings.signUp,
      frontPage: settings.frontPage,
      demo: null,
      passwordCost: settings.passwordCost,
      health: {
        get isDatabaseUp() {
          return databaseHealth?.isUp ?? true
        },
        get isWritable() {
          return disk?.hasSpace ?? true
        },
        get isStopping() {
          return isStopping
        },
      },
      calls: rateLimiter('calls', settings.callsPerMinute, 60, store),
      creationLimits: settings.creationLimits,
      postHistoryDays: settings.postHistory.days,
      creations: {
        posts: rateLimiter('new-posts', settings.creationLimits.postsPerMinute, 60, store),
        comments: rateLimiter('new-comments', settings.creationLimits.commentsPerMinute, 60, store),
      },
      dashboardCalls: {
        anonymous: networkRateLimiter('anonymous', settings.anonymousCallsPerMinute, 60, store),
        accounts: rateLimiter('dashboard', settings.dashboardCallsPerMinute, 60, store),
      },
      attempts: {
        byAccount: rateLimiter('sign-in-account', perAccount, ATTEMPTS.seconds, store),
        byHandle: rateLimiter('sign-in-handle', perAccount * ALL_NETWORKS, ATTEMPTS.seconds, store),
        byClient: networkRateLimiter('sign-in-client', perClient, ATTEMPTS.seconds, store),
        recoveryByClient: networkRateLimiter('recovery-client', perClient, ATTEMPTS.seconds, store),
        signUps: networkRateLimiter('sign-up', ATTEMPTS.signUps, ATTEMPTS.seconds, store),
        challenges: networkRateLimiter('passkey-challenge', ATTEMPTS.challenges, ATTEMPTS.seconds, store),
      },
      oauth: {
        registrations: networkRateLimiter(
          'client-registration',
          CLIENTS.registrations,
          CLIENTS.seconds,
          store,
        ),
        lookups: networkRateLimiter('client-lookup', CLIENTS.lookups, CLIENTS.seconds, store),
        documents: clientDocuments(documentFetcher()),
      },
      fetchFile: fileFetcher(),
      fetchQueue: new FairQueue(FETCHES),
      searches: rateLimiter('searches', limits.searchesPerMinute, 60, store),
      previews: rateLimiter('post-previews', PREVIEWS_PER_MINUTE, 60, store),
      reviewPatience: REVIEW_PATIENCE,
      lastUsed: uses,
      countedEvents: counted,
      onWrite: retention.note,
      renderer,
      markdown,
      operators: new Set(settings.operators),
      log,
    }
    const bodies = new BodyBudget(settings.bodyMemory)
    const { listener, isTrusted, prepare } = createApp(core, log, settings, bodies, devDashboard)
    const server = createHttpServer(tracing?.traceRequests(listener) ?? listener, siteAddresses)
    const connections = limitConnections(server, settings.connections, address => isTrusted(address, 0))
    closing.push(async () => {
      const count = await connections.stop()
      if (count > 0) log.warn({ count }, 'Closed connections whose requests did not end in time')
    })
    let metrics: Metrics | undefined
    if (settings.metricsPort !== undefined) {
      const sumOf = (count: (pool: Pool) => number) => pools.reduce((sum, pool) => sum + count(pool), 0)
      metrics = await startMetrics({ host: settings.host, port: settings.metricsPort }, core.addresses, {
        pool: () => ({
          used: sumOf(pool => pool.totalCount - pool.idleCount),
          idle: sumOf(pool => pool.idleCount),
          waiting: sumOf(pool => pool.waitingCount),
        }),
        reads: () => lane.load,
        renderer: () => renderer.load,
        connections: () => connections,
        bodyBytes: () => bodies.held,
        freeDisk: disk ? () => disk.free : undefined,
        backups,
        isDatabaseUp: () => core.health.isDatabaseUp,
        isWritable: () => core.health.isWritable,
      })
      metrics.observe(server)
      closing.push(() => metrics?.stop())
    }
    const { onCall } = metrics ?? {}
    if (onCall || tracing)
      core.onCall = call => {
        onCall?.(call)
        tracing?.onCall(call)
      }
    await listen(server, settings)
    // Start to probe only now: startup keeps the machine busy, which would delay the probes.
    databaseHealth = watchDatabase(clientConfig(database.location), databaseConnections, (isUp, reason) =>
      isUp ? log.info('The database responds again') : log.error({ reason }, 'The database does not respond'),
    )
    let prepared: Promise<void> | undefined
    const preparing = setTimeout(() => {
      prepared = prepare().catch((error: unknown) => log.error({ err: error }, 'preparing failed'))
    }, PREPARE_AFTER).unref()
    closing.push(() => clearTimeout(preparing))
    // This runs first, so that everything still works while the load balancer notices that this process is stopping.
    closing.push(() => sleep(settings.stopDelay))
    // Wait for the documents last, so that building them does not delay closing the server.
    closing.unshift(() => prepared)
    return { core, port: (server.address() as AddressInfo).port, metricsPort: metrics?.port, stop: close }
  } catch (error) {
    await close()
    throw error
  }
}

const listen = (server: Server, { host, port }: Settings): Promise<Server> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => resolve(server))
  })
